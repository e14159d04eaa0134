//! The explorer: a page on which a user sets up positions, sees the value of every move, browses proofs, watches searches and plays, and the
//! JSON interface that it uses (docs/api.md).
//!
//! One thread serves all connections; searches run on a thread pool, bounded in number, time and memory, and end when the client disconnects.
//! The page is embedded into the program.

mod api;
mod assets;
mod board;
mod connections;
mod files;
mod guard;
mod lab;
mod play;
mod pool;
mod proofs;
mod puzzle;
mod reply;
mod runs;
mod search;
mod stream;
mod surveys;
mod watch;

use connections::Bounded;
use files::Offered;
use pool::Pool;
use proofs::Proofs;
use runs::Runs;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use surveys::Surveys;
use tokio::net::TcpListener;

/// The settings of the server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to listen on.
    pub address: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Host names under which clients may reach the server, besides IP addresses and `localhost`.
    pub hosts: Vec<String>,
    /// Searches that run at the same time.
    pub searches: usize,
    /// Searches that may be queued.
    pub queue: usize,
    /// The longest time of one search.
    pub time: Duration,
    /// The memory of all searches together. Certificates and checkpoints that stay open may take as much again.
    pub memory: u64,
    /// Certificates, folders of checkpoints and game files that the page offers.
    pub files: Vec<PathBuf>,
    /// The folder with the pages of the lab.
    pub lab: Option<PathBuf>,
    /// Where checkpoints of stopped searches are kept; by default a temporary folder.
    pub runs: Option<PathBuf>,
    /// The sources that the program was built from.
    pub revision: &'static str,
}

impl Default for Settings {
    fn default() -> Settings {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Settings {
            address: IpAddr::from([127, 0, 0, 1]),
            port: 0,
            hosts: Vec::new(),
            searches: cores,
            queue: 64,
            time: Duration::from_secs(600),
            memory: 2 << 30,
            files: Vec::new(),
            lab: None,
            runs: None,
            revision: "unknown revision",
        }
    }
}

impl Settings {
    /// The memory of one search.
    fn memory_each(&self) -> u64 {
        self.memory / self.searches.max(1) as u64
    }

    /// The memory of a certificate that stays open.
    fn memory_of_proof(&self) -> u64 {
        self.memory / 2 / proofs::MOST_OPEN as u64
    }

    /// The memory of a checkpoint that stays open.
    fn memory_of_survey(&self) -> u64 {
        self.memory / 2 / surveys::MOST_OPEN as u64
    }
}

/// Connections that are open at the same time; more have to wait.
const CONNECTIONS: usize = 512;
/// Threads for requests that are no searches, and how many of them may wait.
const QUICK: (usize, usize) = (2, 512);
/// The interval at which the interrupt flag is polled.
const INTERRUPT_EVERY: Duration = Duration::from_millis(100);

/// Everything that the handlers share.
struct App {
    settings: Settings,
    port: u16,
    token: String,
    /// Runs searches.
    heavy: Pool,
    /// Runs everything else that takes more than a moment.
    quick: Pool,
    proofs: Proofs,
    runs: Runs,
    surveys: Surveys,
    offered: Vec<Offered>,
    lab: Option<lab::Pages>,
}

/// A server that listens but does not answer yet.
pub struct Server {
    app: Arc<App>,
    listener: std::net::TcpListener,
}

impl Server {
    /// Takes an address and opens what is to be offered.
    pub fn bind(settings: Settings) -> io::Result<Server> {
        let listener = std::net::TcpListener::bind(SocketAddr::from((settings.address, settings.port)))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let offered = settings.files.iter().map(|path| files::offer(path)).collect::<Result<_, _>>()?;
        let app = App {
            port,
            token: guard::token()?,
            heavy: Pool::new("search", settings.searches, settings.queue)?,
            quick: Pool::new("request", QUICK.0, QUICK.1)?,
            proofs: Proofs::default(),
            runs: Runs::open(settings.runs.as_deref())?,
            surveys: Surveys::default(),
            offered,
            lab: settings.lab.as_deref().map(lab::Pages::open).transpose()?,
            settings,
        };
        Ok(Server { app: Arc::new(app), listener })
    }

    /// The address of the page, with the token.
    pub fn url(&self) -> String {
        let address = match self.app.settings.address {
            IpAddr::V4(any) if any.is_unspecified() => "127.0.0.1".to_owned(),
            IpAddr::V6(any) if any.is_unspecified() => "[::1]".to_owned(),
            IpAddr::V4(one) => one.to_string(),
            IpAddr::V6(one) => format!("[{one}]"),
        };
        format!("http://{address}:{}/#token={}", self.app.port, self.app.token)
    }

    /// Serves until `interrupt` is set. Then all searches are stopped.
    pub fn run(self, interrupt: &AtomicBool) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let app = Arc::clone(&self.app);
        let served = runtime.block_on(async {
            let listener = Bounded::new(TcpListener::from_std(self.listener)?, CONNECTIONS);
            let serving = tokio::spawn(async { axum::serve(listener, api::router(app)).await });
            while !interrupt.load(Ordering::Relaxed) {
                if serving.is_finished() {
                    break;
                }
                tokio::time::sleep(INTERRUPT_EVERY).await;
            }
            Ok(())
        });
        // Connections are closed with the runtime. Jobs hold the application, so they must end before it does.
        drop(runtime);
        self.app.heavy.close();
        self.app.quick.close();
        served
    }
}
