//! Results of a run: measures over time as a [`Table`] or as CSV, the end of it as a [`Summary`] in JSON, all of it as an HTML
//! page.

#[cfg(feature = "report")]
mod analysis_page;
#[cfg(feature = "report")]
mod animation;
mod cell;
#[cfg(feature = "report")]
pub mod chart;
mod contact;
mod coupled;
#[cfg(feature = "results")]
mod csv;
mod details;
#[cfg(feature = "report")]
mod grouping;
#[cfg(feature = "report")]
mod noise;
mod number;
#[cfg(feature = "report")]
mod pack;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "report")]
mod report;
#[cfg(feature = "results")]
mod stored;
mod summary;
mod table;

pub use crate::observer::Column;
#[cfg(feature = "report")]
pub use analysis_page::{AnalysisPage, Chart, Drawing, Locus};
#[cfg(feature = "report")]
pub use animation::{Animation, MovingMode};
pub use cell::{Cell, DetailTable};
pub(crate) use contact::VIOLATIONS;
pub use contact::{ContactDetails, ContactEnergy, ContactEvent, ContactStatistics, ContactViolation, EventCounts};
pub(crate) use coupled::algorithm;
pub use coupled::{CircuitDetails, CoupledDetails, CoupledStatistics, FaultReport, PortBalance, RealTimeStatistics};
#[cfg(feature = "results")]
pub use csv::CsvWriter;
#[cfg(feature = "sweep")]
pub(crate) use csv::write_number;
pub use details::{Details, KrylovCost, LinearDetails, MechanismDetails};
#[cfg(feature = "report")]
pub use grouping::{CurveGroup, curve_groups};
pub use number::number;
#[cfg(feature = "parquet")]
pub use parquet::ParquetWriter;
#[cfg(feature = "report")]
pub use report::{Report, with_problem};
#[cfg(feature = "results")]
pub use stored::{Content, StoredError, StoredTable};
pub use summary::{Status, Summary};
pub use table::Table;
