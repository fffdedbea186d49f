//! The signals that end the command.

/// SIGINT, SIGTERM and SIGHUP; the last is left out, with a word, where whoever started the tests has it ignored (`nohup`), which the command respects.
pub(crate) fn signals() -> Vec<&'static str> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    let mut signals = vec!["-INT", "-TERM"];
    if mask & 1 == 0 {
        signals.push("-HUP");
    } else {
        println!("skipped: SIGHUP is ignored here");
    }
    signals
}
