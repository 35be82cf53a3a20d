import Foundation
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

/// The time zone of the server's process, read from `TZ` and `/etc/localtime`.
@Suite struct ProcessTimeZoneTests {
    private func zone(
        _ variable: String?, _ machine: ProcessTimeZone.MachineZone = .missing
    ) -> ProcessTimeZone { ProcessTimeZone(variable: variable, machine: machine) }

    @Test(arguments: [
        ("Europe/Berlin", "Europe/Berlin"), (":Europe/Berlin", "Europe/Berlin"),
        ("/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"),
        (":/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"),
        ("/usr/share/zoneinfo/posix/Europe/Berlin", "Europe/Berlin"),
        ("posix/Europe/Berlin", "Europe/Berlin"),
        ("/nix/store/x-tzdata/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"), ("Japan", "Asia/Tokyo"),
        (":Japan", "Asia/Tokyo"), ("/usr/share/zoneinfo/Japan", "Asia/Tokyo"), ("CET", "Europe/Brussels"),
        ("EST5EDT", "America/New_York"), ("GB", "Europe/London"), ("UTC", "UTC"), ("Etc/UTC", "UTC"),
        ("GMT", "UTC"), ("Zulu", "UTC"), ("", "UTC"), (":", "UTC"), ("UTC0", "UTC"), ("<UTC>0", "UTC"),
        ("UTC+00:00", "UTC"), ("GMT0", "UTC"), ("America/St_Johns", "America/St_Johns"),
    ])
    func `TZ is taken as the C library takes it`(_ variable: String, _ name: String) {
        let found = zone(variable, .link("/usr/share/zoneinfo/Asia/Kathmandu"))
        #expect(found.zone.name == name && found.fault == nil)
    }

    @Test(arguments: [
        "CET-1CEST,M3.5.0,M10.5.0/3", "EST5", "<+03>-3", "UTC1", "Nowhere", "Europe/Atlantis", "Berlin",
        "japan", "/usr/share/zoneinfo/right/Europe/Berlin", "right/Europe/Berlin", "/etc/passwd",
        "/usr/share/zoneinfo/../../../etc/passwd", "/usr/share/zoneinfo/", "GMT+2", "PST", "::Europe/Berlin",
        "Europe/Berlin ", "Europe/Berlin\u{1B}[31m",
    ])
    func `what is not taken is UTC, and a line that names it`(_ variable: String) {
        let found = zone(variable, .link("/usr/share/zoneinfo/Asia/Kathmandu"))
        #expect(found.zone == .utc)
        #expect(found.fault?.contains(String(reflecting: variable)) == true, "\(found.fault ?? "")")
        #expect(found.fault?.contains("UTC") == true && found.fault?.contains("\u{1B}") == false)
    }

    @Test func `a long value is cut in the log`() {
        let fault = zone(String(repeating: "x", count: 100_000)).fault ?? ""
        #expect(fault.count < 250 && fault.contains("xxx"))
    }

    @Test func `without TZ the link of the machine names the zone`() {
        for path in ["/usr/share/zoneinfo/Europe/Berlin", "../usr/share/zoneinfo/Europe/Berlin"] {
            for variable in [nil, "/etc/localtime", ":/etc/localtime"] {
                let found = zone(variable, .link(path))
                #expect(found.zone.name == "Europe/Berlin" && found.fault == nil)
            }
        }
        #expect(zone(nil, .link("/usr/share/zoneinfo/Japan")).zone.name == "Asia/Tokyo")
        #expect(zone(nil, .missing) == zone("UTC"))
        for machine in [ProcessTimeZone.MachineZone.file, .link("/somewhere/else")] {
            #expect(zone(nil, machine).zone == .utc)
            #expect(zone(nil, machine).fault?.contains("/etc/localtime") == true)
        }
    }

    @Test func `the machine's file is looked at and not followed`() async throws {
        try await TestDatabase.withFolder { folder in
            let files = FileManager.default
            #expect(ProcessTimeZone.MachineZone.at(folder + "/none") == .missing)
            try Data("TZif".utf8).write(to: URL(fileURLWithPath: folder + "/copy"))
            #expect(ProcessTimeZone.MachineZone.at(folder + "/copy") == .file)
            let target = "/usr/share/zoneinfo/Europe/Nowhere"
            try files.createSymbolicLink(atPath: folder + "/link", withDestinationPath: target)
            #expect(ProcessTimeZone.MachineZone.at(folder + "/link") == .link(target))
        }
    }

    @Test(arguments: CalendarZoneAliases.names.sorted { $0.key < $1.key }.map(\.key))
    func `an older name has the rules of the zone that it stands for`(_ alias: String) throws {
        let name = try #require(CalendarZoneAliases.names[alias])
        let zone = try #require(CalendarZone(alias))
        #expect(zone.name == name && zone == CalendarZone(name))
    }

    @Test func `an environment keeps the zone's present name`() async throws {
        try await TestApp.run { app in
            let environments = app.services.environments
            _ = try await environments.create(id: "harbor", name: "Harbor")
            try await environments.setTimeZone("harbor", to: "Japan")
            #expect(try await environments.environment("harbor")?.timeZone?.name == "Asia/Tokyo")
            await #expect(throws: Problem.self) {
                try await environments.setTimeZone("harbor", to: "CET-1CEST,M3.5.0,M10.5.0/3")
            }
            try await environments.setTimeZone("harbor", to: "")
            #expect(try await environments.environment("harbor")?.timeZone == nil)
        }
    }
}
