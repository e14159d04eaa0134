//! A worker at a broker.

use super::{Address, HELLO, PATIENCE, Streams, broker, consumer, piece, runtime};
use crate::job::{is_name, parse};
use crate::{Error, Finding, Job, JobId, Outcome, Performed, Worker};
use async_nats::Client;
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{self, AckKind, Context, Message};
use futures_util::StreamExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// The longest wait for a job before the worker sends a heartbeat.
const WAIT: Duration = Duration::from_secs(1);
/// How often a job looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(100);

/// Does jobs of all managers at a broker, until `interrupt` is raised or there was none for the time `idle`. Returns how many were done.
pub fn work(
    address: &Address,
    worker: &Worker,
    idle: Option<Duration>,
    interrupt: &'static AtomicBool,
    watch: &mut dyn FnMut(&Outcome),
) -> Result<u64, Error> {
    worker.prepare()?;
    let runtime = runtime()?;
    let (mut done, mut last) = (0, Instant::now());
    // The server may come later, or go away for a while.
    let is_tired = |last: Instant| interrupt.load(Relaxed) || idle.is_some_and(|idle| last.elapsed() >= idle);
    let mut line = None::<Line<'_>>;
    while !is_tired(last) {
        let Some(at) = &mut line else {
            match runtime.block_on(Line::open(address, worker)) {
                Ok(opened) => line = Some(opened),
                Err(Error::Broker(_)) => std::thread::sleep(Duration::from_millis(300)),
                Err(error) => return Err(error),
            }
            continue;
        };
        let message = match runtime.block_on(at.next_job()) {
            Ok(Some(message)) => message,
            Ok(None) => {
                at.say_hello(&runtime, None);
                continue;
            }
            Err(_) => {
                std::thread::sleep(Duration::from_millis(300));
                // The stream may be gone with a server that lost its disk; the client itself connects again.
                let _ = runtime.block_on(at.find_jobs());
                continue;
            }
        };
        let job = match parse(&message.payload).and_then(|value| Job::from_json(&value)) {
            Ok(job) => job,
            Err(_) => {
                let _ = runtime.block_on(message.ack_with(AckKind::Term));
                continue;
            }
        };
        if at.perform(&runtime, &job, &message, interrupt, watch)? {
            done += 1;
        }
        last = Instant::now();
    }
    Ok(done)
}

/// The connection of a worker.
struct Line<'w> {
    worker: &'w Worker,
    address: Address,
    client: Client,
    context: Context,
    jobs: Consumer<pull::Config>,
}

impl<'w> Line<'w> {
    async fn open(address: &Address, worker: &'w Worker) -> Result<Line<'w>, Error> {
        let client = address.connect(&worker.name).await?;
        let context = jetstream::new(client.clone());
        let jobs = all_jobs(&context, address).await?;
        Ok(Line { worker, address: address.clone(), client, context, jobs })
    }

    async fn find_jobs(&mut self) -> Result<(), Error> {
        self.jobs = all_jobs(&self.context, &self.address).await?;
        Ok(())
    }

    /// One job, if there is one within [`WAIT`]: a worker that held a second one would keep it from others.
    async fn next_job(&self) -> Result<Option<Message>, Error> {
        let mut batch = self.jobs.batch().max_messages(1).expires(WAIT).messages().await.map_err(broker)?;
        match tokio::time::timeout(PATIENCE, batch.next()).await {
            Err(_) => Err(Error::Broker("it does not answer".to_owned())),
            Ok(message) => message.transpose().map_err(broker),
        }
    }

    fn hello(&self, job: Option<JobId>) -> Vec<u8> {
        self.worker.hello(job).to_json().to_string().into_bytes()
    }

    fn say_hello(&self, runtime: &Runtime, job: Option<JobId>) {
        let sent = self.client.publish(self.address.subject("hello"), self.hello(job).into());
        let _ = runtime.block_on(async { tokio::time::timeout(WAIT, sent).await });
    }

    /// Does a job. Returns whether there was an outcome.
    fn perform(
        &self,
        runtime: &Runtime,
        job: &Job,
        message: &Message,
        interrupt: &'static AtomicBool,
        watch: &mut dyn FnMut(&Outcome),
    ) -> Result<bool, Error> {
        let stop = Arc::new(AtomicBool::new(false));
        let (id, client) = (job.id(), self.client.clone());
        let (hello, subject) = (self.hello(Some(id)), self.address.subject("hello"));
        let cancelled = self.address.subject(&format!("cancel.{id}"));
        let (stopping, reply) = (Arc::clone(&stop), message.reply.clone());
        let keeper = runtime.spawn(async move {
            let mut cancelled = client.subscribe(cancelled).await.ok();
            let mut sent = None::<Instant>;
            loop {
                if interrupt.load(Relaxed) {
                    stopping.store(true, Relaxed);
                }
                if sent.is_none_or(|sent| sent.elapsed() >= HELLO) {
                    sent = Some(Instant::now());
                    let _ = client.publish(subject.clone(), hello.clone().into()).await;
                    if let Some(reply) = reply.clone() {
                        // The server waits longer.
                        let _ = client.publish(reply, AckKind::Progress.into()).await;
                    }
                }
                match &mut cancelled {
                    Some(cancelled) => {
                        if let Ok(Some(_)) = tokio::time::timeout(LOOK, cancelled.next()).await {
                            stopping.store(true, Relaxed);
                            tokio::time::sleep(LOOK).await;
                        }
                    }
                    None => tokio::time::sleep(LOOK).await,
                }
            }
        });
        let performed = self.worker.perform(job, &stop);
        let result = match performed {
            Performed::Stopped => {
                // Another worker takes over what this one leaves; what was cancelled is over.
                let kind = if interrupt.load(Relaxed) { AckKind::Nak(None) } else { AckKind::Ack };
                let _ =
                    runtime.block_on(async { tokio::time::timeout(PATIENCE, message.ack_with(kind)).await });
                Ok(false)
            }
            Performed::Done(outcome, proof) => {
                let sent = runtime.block_on(self.deliver(&outcome, proof.as_deref(), interrupt));
                if let Some(folder) = proof {
                    let _ = std::fs::remove_dir_all(folder);
                }
                let kind = match outcome.finding {
                    // For a worker of the right kind.
                    Finding::Refused(_) => AckKind::Nak(Some(Duration::from_secs(1))),
                    _ if !sent => AckKind::Nak(None),
                    _ => AckKind::Ack,
                };
                let acked = async { tokio::time::timeout(PATIENCE, message.ack_with(kind)).await };
                let _ = runtime.block_on(acked);
                watch(&outcome);
                match &outcome.finding {
                    Finding::Refused(reason) => {
                        let _ = runtime
                            .block_on(async { tokio::time::timeout(PATIENCE, self.client.flush()).await });
                        Err(Error::Request(format!("this worker is of no use here: {reason}")))
                    }
                    _ => Ok(sent),
                }
            }
        };
        keeper.abort();
        result
    }

    /// Sends an outcome, its certificate first, and waits until the server has it. `false` if it could not be sent before the
    /// worker was to stop.
    async fn deliver(&self, outcome: &Outcome, proof: Option<&Path>, interrupt: &AtomicBool) -> bool {
        loop {
            match self.try_deliver(outcome, proof).await {
                Ok(()) => return true,
                Err(_) if interrupt.load(Relaxed) => return false,
                Err(_) => tokio::time::sleep(Duration::from_millis(500)).await,
            }
        }
    }

    async fn try_deliver(&self, outcome: &Outcome, proof: Option<&Path>) -> Result<(), Error> {
        let run = &outcome.job.run;
        // It is a word of the subject.
        if !is_name(run) {
            return Err(Error::Message("a run's name".to_owned()));
        }
        if let Some(folder) = proof {
            let subject = self.address.subject(&format!("result.{run}.piece"));
            let mut pieces = piece::Pieces::of(folder, &self.worker.name, outcome.job.id());
            while let Some(bytes) = pieces.next()? {
                self.publish(&subject, bytes).await?;
            }
        }
        let subject = self.address.subject(&format!("result.{run}.outcome"));
        self.publish(&subject, outcome.to_json().to_string().into_bytes()).await
    }

    /// Publishes a message and waits until the server has stored it.
    async fn publish(&self, subject: &str, bytes: Vec<u8>) -> Result<(), Error> {
        let stored = async {
            let stored = self.context.publish(subject.to_owned(), bytes.into()).await.map_err(broker)?;
            stored.await.map_err(broker).map(drop)
        };
        tokio::time::timeout(2 * PATIENCE, stored).await.map_err(broker)?
    }
}

/// The jobs of all runs.
async fn all_jobs(context: &Context, address: &Address) -> Result<Consumer<pull::Config>, Error> {
    let streams = Streams::open(context, address).await?;
    consumer(&streams.jobs, "workers", address.subject("job.>")).await
}
