//! Jobs and outcomes through a NATS server with JetStream.
//!
//! The server is transport only. Jobs wait in one stream and outcomes in another until they are acknowledged; the manager does so after its
//! ledger has the rows, a worker after its outcome has arrived. A message that is lost, repeated or delivered late does no harm: the
//! manager gives out again, by its own clock, what does not come back, and nothing is decided by how often something was delivered.
//!
//! | subject | what |
//! | --- | --- |
//! | `PREFIX.job.RUN.ID` | a job, in the stream `PREFIX_jobs` |
//! | `PREFIX.result.RUN.outcome` | an outcome, in the stream `PREFIX_results` |
//! | `PREFIX.result.RUN.piece` | a piece of a certificate, before the outcome it belongs to |
//! | `PREFIX.hello` | a worker's heartbeat, not stored |
//! | `PREFIX.cancel.ID` | a job need not be finished, not stored |
//! | `PREFIX.status` | a request, answered by every manager |

mod manager;
mod piece;
mod worker;

pub use manager::Broker;
pub use worker::work;

use crate::{Error, LONGEST_MESSAGE};
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::stream::{Config, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions};
use futures_util::StreamExt;
use std::path::PathBuf;
use std::time::Duration;
use tokio::runtime::Runtime;

/// A job that its worker does not confirm for this long is delivered again by the server.
const LEASE: Duration = Duration::from_secs(30);
/// How often a worker confirms its job and sends a heartbeat.
const HELLO: Duration = Duration::from_secs(2);
/// The longest wait for the server in one step.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where the broker is, and who we are to it.
#[derive(Clone, Debug)]
pub struct Address {
    /// Its URL; a user and a password may stand in it.
    pub url: String,
    /// A file with NATS credentials.
    pub credentials: Option<PathBuf>,
    /// A file with a token.
    pub token: Option<PathBuf>,
    /// A file with the certificates of authorities.
    pub authorities: Option<PathBuf>,
    /// The first word of all subjects.
    pub prefix: String,
}

impl Address {
    async fn connect(&self, name: &str) -> Result<Client, Error> {
        if !crate::job::is_name(&self.prefix) {
            return Err(Error::Request("a prefix has letters, digits, - and _".to_owned()));
        }
        let mut options = ConnectOptions::new().name(name).connection_timeout(PATIENCE);
        if let Some(path) = &self.credentials {
            options = options.credentials_file(path).await?;
        }
        if let Some(path) = &self.token {
            let text = std::fs::read_to_string(path)?;
            options = options.token(text.lines().next().unwrap_or_default().trim().to_owned());
        }
        if let Some(path) = &self.authorities {
            options = options.add_root_certificates(path.clone());
        }
        if self.url.starts_with("tls://") {
            options = options.require_tls(true);
        }
        let client = options.connect(&self.url).await.map_err(broker)?;
        if !client.is_server_compatible(2, 10, 23) {
            let version = client.server_info().version;
            return Err(Error::Broker(format!("it has version {version}, and 2.10.23 or newer is needed")));
        }
        if client.server_info().max_payload < LONGEST_MESSAGE {
            let (theirs, ours) = (client.server_info().max_payload, LONGEST_MESSAGE);
            return Err(Error::Broker(format!("it takes messages of {theirs} bytes, and {ours} are needed")));
        }
        Ok(client)
    }

    fn subject(&self, rest: &str) -> String {
        format!("{}.{rest}", self.prefix)
    }
}

/// The two streams, which are made where they are missing.
struct Streams {
    jobs: Stream,
    results: Stream,
}

impl Streams {
    async fn open(context: &Context, address: &Address) -> Result<Streams, Error> {
        let stream = async |name: &str, subject: &str| {
            let config = Config {
                name: format!("{}_{name}", address.prefix),
                subjects: vec![address.subject(subject)],
                retention: RetentionPolicy::WorkQueue,
                storage: StorageType::File,
                max_message_size: LONGEST_MESSAGE as i32,
                ..Config::default()
            };
            context.get_or_create_stream(config).await.map_err(|error| {
                Error::Broker(format!("{error}; is JetStream enabled (nats-server --jetstream)?"))
            })
        };
        Ok(Streams { jobs: stream("jobs", "job.>").await?, results: stream("results", "result.>").await? })
    }
}

/// A consumer of a stream that keeps its place on the server.
async fn consumer(
    stream: &Stream,
    name: &str,
    subject: String,
) -> Result<jetstream::consumer::Consumer<pull::Config>, Error> {
    let config = pull::Config {
        durable_name: Some(name.to_owned()),
        filter_subject: subject,
        ack_policy: AckPolicy::Explicit,
        ack_wait: LEASE,
        max_ack_pending: 4_096,
        ..pull::Config::default()
    };
    stream.get_or_create_consumer(name, config).await.map_err(broker)
}

/// Two threads: one for the connection, and the caller's.
fn runtime() -> Result<Runtime, Error> {
    Ok(tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?)
}

fn broker(error: impl std::fmt::Display) -> Error {
    Error::Broker(error.to_string())
}

/// Asks all managers at a broker for the state of their runs.
pub fn status(address: &Address) -> Result<Vec<serde_json::Value>, Error> {
    runtime()?.block_on(async {
        let client = address.connect("status").await?;
        let inbox = client.new_inbox();
        let mut replies = client.subscribe(inbox.clone()).await.map_err(broker)?;
        client
            .publish_with_reply(address.subject("status"), inbox, bytes::Bytes::new())
            .await
            .map_err(broker)?;
        let mut states = Vec::new();
        // Managers answer at once; there may be any number of them.
        while let Ok(Some(reply)) = tokio::time::timeout(Duration::from_secs(1), replies.next()).await {
            if reply.status.is_none() && !reply.payload.is_empty() {
                states.push(crate::job::parse(&reply.payload)?);
            }
        }
        Ok(states)
    })
}
