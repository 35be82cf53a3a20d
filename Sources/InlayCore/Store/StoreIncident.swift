package import Foundation
@_spi(Inlay) package import InlayWire

/// The reason why a store began anew while a session used it.
package enum StoreIncident: Hashable, Sendable {
    /// The file was damaged and renamed; holds its new URL.
    case setAside(URL)
    /// The file or one of its companions was moved, deleted or replaced; holds the file's URL.
    case lost(URL)
}

extension SessionEvents {
    /// Writes an incident into the log and sends it to the session's observers.
    package func publish(_ incident: StoreIncident, at time: Timestamp, log: DebugLog) {
        let (name, file): (SessionEvent.Name, URL) =
            switch incident {
            case .setAside(let file): (.storeSetAside, file)
            case .lost(let file): (.storeLost, file)
            }
        log.operation("a store began anew (\(name.rawValue)): \(file.lastPathComponent)")
        publish(SessionEvent(name, time: time, properties: ["file": .string(file.lastPathComponent)]))
    }
}
