//! The manager's side of a broker.

use super::{Address, PATIENCE, Streams, broker, consumer, piece, runtime};
use crate::job::parse;
use crate::{Error, Finding, Hello, Job, JobId, LONGEST_MESSAGE, Message, Outcome, Status, Transport};
use async_nats::jetstream::message::Acker;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, Subscriber};
use bytes::Bytes;
use futures_util::StreamExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// The most messages that are taken in at a time, and so the most rows of one transaction.
const BATCH: usize = 1_000;

/// A message as it comes.
enum Arrived {
    Hello(Bytes),
    Outcome(Bytes, Acker),
    Piece(Bytes, Acker),
}

/// A broker.
pub struct Broker {
    runtime: Runtime,
    client: Client,
    context: Context,
    address: Address,
    run: String,
    /// Where certificates are put together.
    incoming: PathBuf,
    arrived: Receiver<Arrived>,
    sender: Sender<Arrived>,
    /// What was received and not yet acknowledged.
    received: Vec<Acker>,
    /// The last status, for `cluster status`.
    status: Arc<Mutex<Vec<u8>>>,
}

impl Broker {
    /// Connects to a broker. Waits for it, unless `interrupt` is raised.
    pub fn connect(
        address: &Address,
        run: &str,
        incoming: &Path,
        interrupt: &AtomicBool,
    ) -> Result<Broker, Error> {
        let runtime = runtime()?;
        let until = Instant::now() + 4 * PATIENCE;
        let client = loop {
            match runtime.block_on(address.connect("manager")) {
                Ok(client) => break client,
                Err(Error::Broker(_)) if Instant::now() < until && !interrupt.load(Relaxed) => {
                    std::thread::sleep(Duration::from_millis(300));
                }
                Err(error) => return Err(error),
            }
        };
        // It starts a task of its own.
        let context = runtime.block_on(async { jetstream::new(client.clone()) });
        std::fs::create_dir_all(incoming)?;
        let (sender, arrived) = channel();
        Ok(Broker {
            runtime,
            client,
            context,
            address: address.clone(),
            run: run.to_owned(),
            incoming: incoming.to_owned(),
            arrived,
            sender,
            received: Vec::new(),
            status: Arc::default(),
        })
    }

    fn jobs(&self) -> String {
        self.address.subject(&format!("job.{}.>", self.run))
    }

    fn results(&self) -> String {
        self.address.subject(&format!("result.{}.>", self.run))
    }

    fn consumer_name(&self) -> String {
        format!("manager_{}", self.run)
    }

    /// Makes the streams ready for this run.
    fn open_streams(&self, name: &str) -> Result<(), Error> {
        self.runtime.block_on(async {
            let streams = Streams::open(&self.context, &self.address).await?;
            streams.jobs.purge().filter(self.jobs()).await.map_err(broker)?;
            // A new consumer gets at once what an earlier manager has received and not acknowledged.
            let _ = streams.results.delete_consumer(name).await;
            consumer(&streams.results, name, self.results()).await.map(drop)
        })
    }

    /// Sends a message that need not arrive.
    fn publish(&self, subject: String, bytes: Vec<u8>) {
        let sent = self.client.publish(subject, bytes.into());
        // While the server is away messages wait in the client; when there are too many they are lost, and given out again later.
        let _ = self.runtime.block_on(async { tokio::time::timeout(Duration::from_secs(1), sent).await });
    }

    /// A message for the manager; `None` for a piece of a certificate.
    fn read(&mut self, arrived: Arrived) -> Result<Option<Message>, Error> {
        match arrived {
            Arrived::Hello(bytes) => {
                Ok(Some(Message::Hello(parse(&bytes).and_then(|value| Hello::from_json(&value))?)))
            }
            Arrived::Piece(bytes, acker) => {
                self.received.push(acker);
                piece::store(&bytes, &self.incoming).map(|()| None)
            }
            Arrived::Outcome(bytes, acker) => {
                self.received.push(acker);
                let outcome = parse(&bytes).and_then(|value| Outcome::from_json(&value))?;
                let proof = match outcome.finding {
                    Finding::Proof { hash, .. } => {
                        piece::complete(&self.incoming, &outcome.worker, outcome.job.id(), hash)
                    }
                    _ => None,
                };
                Ok(Some(Message::Outcome(outcome, proof)))
            }
        }
    }
}

impl Transport for Broker {
    fn begin(&mut self) -> Result<(), Error> {
        let name = self.consumer_name();
        // A server that is busy may answer late.
        let until = Instant::now() + 4 * PATIENCE;
        while let Err(error) = self.open_streams(&name) {
            if Instant::now() >= until {
                return Err(error);
            }
        }
        let hellos =
            self.runtime.block_on(self.client.subscribe(self.address.subject("hello"))).map_err(broker)?;
        let asked =
            self.runtime.block_on(self.client.subscribe(self.address.subject("status"))).map_err(broker)?;
        self.runtime.spawn(take_hellos(hellos, self.sender.clone()));
        self.runtime.spawn(answer(asked, self.client.clone(), Arc::clone(&self.status)));
        let pump = Pump {
            context: self.context.clone(),
            address: self.address.clone(),
            name,
            results: self.results(),
            sender: self.sender.clone(),
        };
        self.runtime.spawn(pump.run());
        Ok(())
    }

    fn send(&mut self, job: &Job, _: u32) -> Result<(), Error> {
        let text = job.to_json().to_string().into_bytes();
        if text.len() > LONGEST_MESSAGE {
            let (have, most) = (text.len(), LONGEST_MESSAGE);
            return Err(Error::Broker(format!("a job of {have} bytes is longer than {most}")));
        }
        self.publish(self.address.subject(&format!("job.{}.{}", self.run, job.id())), text);
        Ok(())
    }

    fn cancel(&mut self, job: JobId) -> Result<(), Error> {
        // It may wait in the stream or be with a worker.
        let waiting = self.address.subject(&format!("job.{}.{job}", self.run));
        let (context, name) = (self.context.clone(), format!("{}_jobs", self.address.prefix));
        self.runtime.spawn(async move {
            if let Ok(stream) = context.get_stream_no_info(&name).await {
                let _ = stream.purge().filter(waiting).await;
            }
        });
        self.publish(self.address.subject(&format!("cancel.{job}")), Vec::new());
        Ok(())
    }

    fn receive(&mut self, wait: Duration) -> Result<Vec<Message>, Error> {
        let mut messages = Vec::new();
        let first = match self.arrived.recv_timeout(wait) {
            Ok(first) => first,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Ok(messages),
        };
        let mut next = Some(first);
        while let Some(arrived) = next {
            match self.read(arrived) {
                Ok(message) => messages.extend(message),
                Err(Error::Message(reason)) => messages.push(Message::Nonsense(reason)),
                Err(error) => return Err(error),
            }
            next = if messages.len() < BATCH { self.arrived.try_recv().ok() } else { None };
        }
        Ok(messages)
    }

    fn acknowledge(&mut self) -> Result<(), Error> {
        let received = std::mem::take(&mut self.received);
        // What cannot be acknowledged comes again, and changes nothing.
        let all = async {
            for acker in &received {
                let _ = acker.ack().await;
            }
        };
        let _ = self.runtime.block_on(async { tokio::time::timeout(PATIENCE, all).await });
        Ok(())
    }

    fn show(&mut self, status: &Status) -> Result<(), Error> {
        let text = status.to_json().to_string().into_bytes();
        *self.status.lock().unwrap_or_else(PoisonError::into_inner) = text;
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        let name = self.consumer_name();
        let tidy = async {
            let streams = Streams::open(&self.context, &self.address).await?;
            streams.jobs.purge().filter(self.jobs()).await.map_err(broker)?;
            let _ = streams.results.delete_consumer(&name).await;
            streams.results.purge().filter(self.results()).await.map_err(broker)?;
            self.client.flush().await.map_err(broker)
        };
        // The answer is in the ledger; what is left on a server that does not answer is of no use to anyone.
        let _ = self.runtime.block_on(async { tokio::time::timeout(PATIENCE, tidy).await });
        Ok(())
    }
}

/// Brings results from the server, and begins again when the server was away.
struct Pump {
    context: Context,
    address: Address,
    name: String,
    results: String,
    sender: Sender<Arrived>,
}

impl Pump {
    async fn run(self) {
        loop {
            // Whatever the trouble is, it may be over in a while: the manager goes on by its own clock.
            if self.receive().await.is_ok() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    }

    /// Ends without an error if the manager is gone.
    async fn receive(&self) -> Result<(), Error> {
        let streams = Streams::open(&self.context, &self.address).await?;
        let consumer = consumer(&streams.results, &self.name, self.results.clone()).await?;
        let mut messages = consumer
            .stream()
            .max_messages_per_batch(BATCH)
            .heartbeat(Duration::from_secs(1))
            .expires(Duration::from_secs(10))
            .messages()
            .await
            .map_err(broker)?;
        while let Some(message) = messages.next().await {
            let (message, acker) = message.map_err(broker)?.split();
            let arrived = match message.subject.ends_with(".piece") {
                true => Arrived::Piece(message.payload, acker),
                false => Arrived::Outcome(message.payload, acker),
            };
            if self.sender.send(arrived).is_err() {
                return Ok(());
            }
        }
        Err(Error::Broker("no more messages".to_owned()))
    }
}

async fn take_hellos(mut hellos: Subscriber, sender: Sender<Arrived>) {
    while let Some(message) = hellos.next().await {
        if sender.send(Arrived::Hello(message.payload)).is_err() {
            return;
        }
    }
}

async fn answer(mut asked: Subscriber, client: Client, status: Arc<Mutex<Vec<u8>>>) {
    while let Some(request) = asked.next().await {
        let text = status.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(reply) = request.reply {
            let _ = client.publish(reply, text.into()).await;
        }
    }
}
