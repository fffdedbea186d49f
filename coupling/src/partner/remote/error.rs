//! Why a simulator on another computer cannot be a partner.

/// What is wrong with a host, or with what it was asked for. Each names the address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RemoteError {
    /// The address is none, or nobody answers there.
    #[error(
        "no host can be reached at {address}: {reason}; start `fourbar host` there, and look at address and network"
    )]
    Unreachable {
        /// The address.
        address: String,
        /// The answer of the operating system.
        reason: String,
    },
    /// Whoever answers is no host of this version, or the connection broke.
    #[error("who answers at {address} is no host of fourbar {}: {reason}; correct the address, or install the same version there", env!("CARGO_PKG_VERSION"))]
    NoHost {
        /// The address.
        address: String,
        /// What was received instead.
        reason: String,
    },
    /// The host says why.
    #[error("the host at {address} refuses: {words}")]
    Refused {
        /// The address.
        address: String,
        /// Its words.
        words: String,
    },
    /// A host cannot listen there.
    #[error("a host cannot listen at {address}: {reason}")]
    Listen {
        /// The address.
        address: String,
        /// The answer of the operating system, or what is missing.
        reason: String,
    },
}
