# The `delphic` command in a small image:  docker build -t delphic . && docker run --rm -it delphic solve tictactoe
FROM rust:1-slim-trixie AS build
WORKDIR /delphic
COPY Cargo.toml Cargo.lock README.md ./
COPY crates crates
COPY data data
# `--build-arg FEATURES=cluster` adds the client of a NATS server (docs/cluster.md).
ARG FEATURES=
RUN cargo build --release --locked --package delphic --features "$FEATURES"

FROM debian:trixie-slim
COPY --from=build /delphic/target/release/delphic /usr/local/bin/
USER nobody
ENTRYPOINT ["delphic"]
