//! What lies between the processes of a cluster: a network that is cut, and one that is encrypted.

use super::{Server, Workers, agrees, end, manager, rows, worker};
use crate::common::{delphic, folder as scratch};
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::time::{Duration, Instant};

const WHOLE: u8 = 0;
/// Bytes are held back while all connections stay open.
const SILENT: u8 = 1;
/// Connections are closed, and new ones too.
const CLOSED: u8 = 2;
const OVER: u8 = 3;

/// The way to a server, which can be cut.
struct Network {
    port: u16,
    state: Arc<AtomicU8>,
}

impl Network {
    fn to(server: u16) -> Network {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        listener.set_nonblocking(true).unwrap();
        let state = Arc::new(AtomicU8::new(WHOLE));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            while shared.load(Relaxed) != OVER {
                match listener.accept() {
                    Ok((near, _)) if shared.load(Relaxed) == WHOLE => {
                        near.set_nonblocking(false).unwrap();
                        let far = TcpStream::connect(("127.0.0.1", server)).unwrap();
                        for (from, to) in [(&near, &far), (&far, &near)] {
                            let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                            let shared = Arc::clone(&shared);
                            std::thread::spawn(move || carry(from, to, &shared));
                        }
                    }
                    Ok((refused, _)) => drop(refused),
                    Err(_) => std::thread::sleep(Duration::from_millis(10)),
                }
            }
        });
        Network { port, state }
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        self.state.store(OVER, Relaxed);
    }
}

/// Hands bytes on while the network is whole.
fn carry(mut from: TcpStream, mut to: TcpStream, state: &AtomicU8) {
    from.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
    let mut buffer = [0; 1 << 14];
    loop {
        match state.load(Relaxed) {
            SILENT => {
                std::thread::sleep(Duration::from_millis(10));
                continue;
            }
            CLOSED | OVER => break,
            _ => {}
        }
        match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) if to.write_all(&buffer[..read]).is_ok() => {}
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            _ => break,
        }
    }
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

/// The network is cut in both ways, for longer than the manager waits for a sign of life. No row is lost, and the answer is right.
#[test]
fn a_network_may_be_cut() {
    let folder = scratch("cluster-network");
    let Some(server) = Server::start(&folder, &[]) else { return };
    let network = Network::to(server.port);
    let mut workers = Workers::default();
    workers.start(&network.url(), "one");
    workers.start(&network.url(), "two");
    let more = ["--size", "1000", "--patience", "2s"];
    let mut process = manager(&network.url(), "nogo:3x5", &folder, &more).spawn().unwrap();
    let ledger = folder.join("ledger");
    let (mut known, mut cuts) = (0, 0);
    let until = Instant::now() + Duration::from_secs(120);
    let output = loop {
        assert!(Instant::now() < until, "it takes too long: {known} rows, {cuts} cuts");
        if process.try_wait().unwrap().is_some() {
            break process.wait_with_output().unwrap();
        }
        let now = rows(&ledger);
        assert!(now >= known, "{now} rows, there were {known}");
        if now >= known + 5 && cuts < 4 {
            network.state.store(if cuts % 2 == 0 { SILENT } else { CLOSED }, Relaxed);
            std::thread::sleep(Duration::from_millis(3_000));
            network.state.store(WHOLE, Relaxed);
            cuts += 1;
        }
        known = now;
        std::thread::sleep(Duration::from_millis(20));
    };
    agrees("nogo:3x5", &folder, &output);
    assert!(cuts >= 2, "{cuts} cuts in {known} rows");
    println!("{cuts} cuts, {known} rows");
}

/// Over TLS, with an authority of one's own; without it the server is not believed.
#[test]
fn the_network_may_be_encrypted() {
    let folder = scratch("cluster-tls");
    let file = |name: &str| format!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tls/{}"), name);
    let tls = ["--tls", "--tlscert", &file("server.pem"), "--tlskey", &file("server.key")];
    let Some(server) = Server::start(&folder, &tls) else { return };
    let (url, authority) = (format!("tls://127.0.0.1:{}", server.port), file("authority.pem"));
    let mut helper = worker(&url, "one", Path::new(".")).args(["--tls-ca", &authority]).spawn().unwrap();
    let more = ["--size", "1000", "--tls-ca", &authority];
    let output = manager(&url, "clobber:4x4", &folder, &more).output().unwrap();
    end(&mut helper);
    agrees("clobber:4x4", &folder, &output);
    let refused = delphic(&["cluster", "status", "--broker", &url]);
    assert!(!refused.status.success(), "{refused:?}");
}
