import Foundation
import Hummingbird
import InlayWire

/// What a page is asked, by whom: everything has been checked before an answer sees it.
struct WorkbenchRequest: Sendable {
    /// Who asks, with at least the role that the route names.
    let someone: Operator
    /// Goes into every form of the page.
    let csrfToken: String
    /// The environment of the address; `nil` where the address names none.
    let environment: AppEnvironment?
    /// Every environment, for the switcher.
    let environments: [AppEnvironment]
    /// The address's path, for the navigation.
    let path: String
    /// The address's query.
    let query: FormFields
    /// The form's fields; empty for a page.
    let form: FormFields
    /// The bytes of an upload as they come; `nil` elsewhere.
    let upload: RequestBody?
    /// Named parts of the path, decoded.
    let parameters: [String: String]
    /// What the last action left to be said.
    let flash: Flash?
    /// Whether a script asked for a part of the page instead of the page.
    let wantsFragment: Bool
    /// The server's clock at the request.
    let now: Timestamp
    /// What the request changed so far, for the audit log.
    let changes: ChangeLines
    /// The zone of environments that name none.
    let serverZone: CalendarZone

    /// The time zone in which the page shows moments and reads those that are typed.
    var zone: CalendarZone { environment?.timeZone ?? serverZone }
    /// The day it is in that zone.
    var today: CalendarDay { zone.day(of: now) }

    /// The environment's id; routes that use it have `:environment` in their path.
    var environmentID: String {
        get throws {
            guard let environment else { throw Problem.notFound }
            return environment.id
        }
    }

    /// A named part of the path.
    func parameter(_ name: String) throws -> String {
        guard let value = parameters[name] else { throw Problem.notFound }
        return value
    }

    /// An address within the environment, for example `/workbench/e/harbor/users`.
    func address(_ parts: String...) -> String {
        Self.address(environment: environment?.id ?? "", parts)
    }

    static func address(environment: String, _ parts: [String]) -> String {
        (["/workbench/e", environment].map { $0 } + parts).enumerated().map { index, part in
            index == 0 ? part : FormFields.escaped(part)
        }.joined(separator: "/")
    }

    /// Whether the person may do what needs this role.
    func may(_ role: OperatorRole) -> Bool { someone.role >= role }

    /// A time in words.
    func moment(_ time: Timestamp) -> Moment { Moment(time, now: now, in: zone) }
}
