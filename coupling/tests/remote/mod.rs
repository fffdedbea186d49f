//! Simulators on other computers, over the loopback of this one: the results of one process, and every way in which the connection ends.

mod equal;
mod lost;
mod strangers;

use fourbar_coupling::partner::Ode;
use fourbar_coupling::partner::remote::{Asked, Build, HostEvent, Remote, RemoteError, RemoteHost, RemoteOptions};
use fourbar_coupling::{Simulator, Variable};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A host on a thread of its own, ended when this is dropped.
struct Running {
    address: String,
    stop: Arc<AtomicBool>,
    events: Arc<Mutex<Vec<HostEvent>>>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    fn start(
        token: &str,
        build: impl Fn(&Asked) -> Result<Box<dyn Simulator>, String> + Send + Sync + 'static,
    ) -> Self {
        Self::with(RemoteHost::bind("127.0.0.1:0", token).unwrap(), build)
    }

    fn with(
        host: RemoteHost,
        build: impl Fn(&Asked) -> Result<Box<dyn Simulator>, String> + Send + Sync + 'static,
    ) -> Self {
        let (stop, events) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
        let address = host.address().to_string();
        let (until, heard) = (Arc::clone(&stop), Arc::clone(&events));
        let serve = move || {
            let build: &Build<'_> = &build;
            host.serve(build, &|event| heard.lock().unwrap().push(event), &until).unwrap();
        };
        Self { address, stop, events, thread: Some(std::thread::spawn(serve)) }
    }

    /// What a master of it gives.
    fn options(&self) -> RemoteOptions {
        RemoteOptions { address: self.address.clone(), simulator: "mass".into(), ..RemoteOptions::default() }
    }

    fn join(&self) -> Result<Remote, RemoteError> {
        Remote::join(&self.options())
    }

    fn events(&self) -> Vec<HostEvent> {
        self.events.lock().unwrap().clone()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let begun = Instant::now();
            while !thread.is_finished() {
                assert!(begun.elapsed() < Duration::from_secs(60), "the host does not end");
                std::thread::sleep(Duration::from_millis(5));
            }
            thread.join().unwrap();
        }
    }
}

/// A mass on a spring under a force that is an input; position and the force of the spring, which depends on it without delay.
fn mass(stiffness: f64) -> impl Simulator + 'static {
    Ode::new([0.25, 0.0], move |t, x, u, dx| {
        dx[0] = x[1];
        dx[1] = -stiffness * x[0] - 0.1 * x[1] + u[0] + (3.0 * t).sin();
    })
    .input(Variable::input("force", "N").start(1.5))
    .output(Variable::output("position", "m").start(0.25), |_, x, _| x[0])
    .output(Variable::output("spring", "N"), move |_, x, _| -stiffness * x[0])
    .output(Variable::output("sum", "N").depends_on(&["force"]), move |_, x, u| u[0] - stiffness * x[0])
    .solver_step(1e-3)
}

/// Masses with the parameter `stiffness` \[N/m\].
fn masses(asked: &Asked) -> Result<Box<dyn Simulator>, String> {
    match asked.parameters.as_slice() {
        [] => Ok(Box::new(mass(40.0))),
        [(name, value)] if name == "stiffness" => Ok(Box::new(mass(*value))),
        _ => Err("the mass has no such parameter".to_owned()),
    }
}
