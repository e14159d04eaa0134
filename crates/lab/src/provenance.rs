//! Where rows come from: the program's revision, the machine, the compiler and the date.

use std::time::{SystemTime, UNIX_EPOCH};

/// What made some rows of the ledger: a program, on a machine, on a day.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Provenance {
    /// The program's revision for people: `git describe`, or the version where there was no git.
    pub revision: String,
    /// The fingerprint of the sources that rows depend on. Rows of another fingerprint count as made by another program.
    pub code: String,
    /// The compiler, the profile and the level of optimisation.
    pub compiler: String,
    /// The processor's model.
    pub cpu: String,
    /// Cores that the program may use.
    pub cores: u64,
    /// Bytes of memory; 0 if the system does not report them.
    pub memory: u64,
    /// Operating system and architecture.
    pub system: String,
    /// When the run started, in UTC: `2024-02-29T23:59:59Z`.
    pub date: String,
}

impl Provenance {
    /// This program on this machine, now.
    pub fn here() -> Provenance {
        let unknown = || "unknown".to_owned();
        Provenance {
            revision: env!("DELPHIC_REVISION").to_owned(),
            code: Provenance::code(),
            compiler: env!("DELPHIC_COMPILER").to_owned(),
            cpu: field("/proc/cpuinfo", "model name").unwrap_or_else(unknown),
            cores: std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64),
            memory: field("/proc/meminfo", "MemTotal").and_then(|text| kilobytes(&text)).unwrap_or(0),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            date: utc(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())),
        }
    }

    /// The fingerprint of this program's sources.
    pub fn code() -> String {
        env!("DELPHIC_CODE").to_owned()
    }

    /// The machine in a few words: `Intel(R) Xeon(R) …, 2 cores, 7.8 GiB, linux x86_64`.
    pub fn machine(&self) -> String {
        let memory = match self.memory {
            0 => "unknown memory".to_owned(),
            bytes => format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30)),
        };
        format!("{}, {} cores, {memory}, {}", self.cpu, self.cores, self.system)
    }

    /// The day of the run.
    pub fn day(&self) -> &str {
        self.date.split('T').next().unwrap_or_default()
    }
}

/// The value of the first line `name : value` of a file.
fn field(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn kilobytes(text: &str) -> Option<u64> {
    text.strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Seconds since 1970 as date and time in UTC.
fn utc(seconds: u64) -> String {
    let (mut days, time) = (seconds / 86_400, seconds % 86_400);
    let leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let months = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= months[month] {
        days -= months[month];
        month += 1;
    }
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    format!("{year:04}-{:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", month + 1, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, date) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_709_251_200, "2024-03-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(utc(seconds), date);
        }
    }

    #[test]
    fn everything_is_filled_in() {
        let here = Provenance::here();
        for text in [&here.revision, &here.compiler, &here.cpu, &here.system, &here.date] {
            assert!(!text.is_empty());
        }
        assert!(
            here.code.len() == 16 && here.code.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{}",
            here.code
        );
        assert!(here.cores > 0 && here.compiler.starts_with("rustc"), "{here:?}");
        assert_eq!(kilobytes("16 kB"), Some(16_384));
        assert_eq!(kilobytes("much"), None);
    }
}
