import Foundation

/// The time zone of the server's process, found as the C library finds it: in `TZ`, else in `/etc/localtime`.
///
/// Names of the time zone database are accepted, with a colon in front or not, and paths into a folder `zoneinfo`. Only
/// the path's text counts; no file is read. A rule such as `CET-1CEST,M3.5.0,M10.5.0/3` and the zones with leap seconds
/// below `right/` are not accepted.
package struct ProcessTimeZone: Hashable, Sendable {
    /// The state of the file with the machine's time zone.
    enum MachineZone: Hashable, Sendable {
        /// There is no file, which means UTC.
        case missing
        /// A copy of a zone's rules, which does not hold the zone's name.
        case file
        /// A link to this path.
        case link(String)

        static func at(_ path: String) -> MachineZone {
            let files = FileManager.default
            if let target = try? files.destinationOfSymbolicLink(atPath: path) { return .link(target) }
            return files.fileExists(atPath: path) ? .file : .missing
        }
    }

    private static let machineFile = "/etc/localtime"

    /// The zone of this process.
    package static let current = ProcessTimeZone(
        variable: ProcessInfo.processInfo.environment["TZ"], machine: .at(machineFile))

    /// The zone; UTC when the process has a zone that is not accepted.
    package let zone: CalendarZone
    /// A line for the log when the process has a zone that is not accepted.
    package let fault: String?

    /// Finds the zone of a value of `TZ`, or the machine's zone when `variable` is `nil`.
    init(variable: String?, machine: MachineZone) {
        guard let variable else {
            self.init(machine)
            return
        }
        let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
        if name == Self.machineFile {
            self.init(machine)
        } else if name.isEmpty || Self.isRuleOfUTC(name) {
            self.init(.utc)
        } else {
            self.init(Self.zone(name), refusal: "TZ is \(Self.shown(variable)), which is not taken")
        }
    }

    private init(_ machine: MachineZone) {
        switch machine {
        case .missing: self.init(.utc)
        case .file: self.init(nil, refusal: "\(Self.machineFile) is no link, so its zone has no name")
        case .link(let path):
            let reason = "\(Self.machineFile) leads to \(Self.shown(path)), which is not taken"
            self.init(Self.zone(path), refusal: reason)
        }
    }

    private init(_ zone: CalendarZone?, refusal: String = "") {
        self.zone = zone ?? .utc
        fault =
            zone == nil
            ? "\(refusal). Days and times are those of UTC; set TZ to a name such as Europe/Berlin." : nil
    }

    /// Returns the zone of a name, or of a path into the time zone database.
    private static func zone(_ text: String) -> CalendarZone? {
        var name = text[...]
        if let folder = text.range(of: "/zoneinfo/", options: .backwards) {
            name = text[folder.upperBound...]
        }
        if name.hasPrefix("posix/") { name = name.dropFirst("posix/".count) }
        return name.hasPrefix("right/") ? nil : CalendarZone(String(name))
    }

    /// Whether a text is a rule without daylight saving time and with an offset of zero, for example `UTC0`.
    private static func isRuleOfUTC(_ text: String) -> Bool {
        text.wholeMatch(of: /([A-Za-z]{3,}|<[A-Za-z0-9+\-]{3,}>)[+\-]?00?(:00){0,2}/) != nil
    }

    private static func shown(_ text: String) -> String { String(reflecting: String(text.prefix(64))) }
}
