import Foundation
package import Hummingbird
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The request for a page, with its operator: everything has been checked before an answer sees it.
package struct WorkbenchRequest: Sendable {
    /// The operator, with at least the role that the route names.
    package let someone: Operator
    /// Goes into every form of the page.
    package let csrfToken: String
    /// The environment of the address; `nil` where the address names none.
    package let environment: AppEnvironment?
    /// Every environment, for the switcher.
    package let environments: [AppEnvironment]
    /// The address's path, for the navigation.
    package let path: String
    /// The address's query.
    package let query: FormFields
    /// The form's fields; empty for a page.
    package let form: FormFields
    /// The bytes of an upload as they come; `nil` elsewhere.
    package let upload: RequestBody?
    /// Named parts of the path, decoded.
    package let parameters: [String: String]
    /// The message that the last action left.
    package let flash: Flash?
    /// Whether a script asked for a part of the page instead of the page.
    package let wantsFragment: Bool
    /// The server's clock at the request.
    package let now: Timestamp
    /// The changes that the request made so far, for the audit log.
    package let changes: ChangeLines
    /// The zone of environments that name none.
    package let serverZone: CalendarZone

    /// The time zone in which the page shows moments and reads those that are typed.
    package var zone: CalendarZone { environment?.timeZone ?? serverZone }
    /// The day it is in that zone.
    package var today: CalendarDay { zone.day(of: now) }

    /// The environment's id; routes that use it have `:environment` in their path.
    package var environmentID: EnvironmentID {
        get throws {
            guard let environment else { throw Problem.notFound }
            return environment.id
        }
    }

    /// A named part of the path.
    package func parameter(_ name: String) throws -> String {
        guard let value = parameters[name] else { throw Problem.notFound }
        return value
    }

    /// An address within the environment, for example `/workbench/e/harbor/users`.
    package func address(_ parts: String...) -> String {
        Self.address(environment: environment?.id.rawValue ?? "", parts)
    }

    package static func address(environment: String, _ parts: [String]) -> String {
        (["/workbench/e", environment].map { $0 } + parts).enumerated().map { index, part in
            index == 0 ? part : FormFields.escaped(part)
        }.joined(separator: "/")
    }

    /// Whether the person may do what needs this role.
    package func may(_ role: OperatorRole) -> Bool { someone.role >= role }

    /// A time in words.
    package func moment(_ time: Timestamp) -> Moment { Moment(time, now: now, in: zone) }
}
