import Foundation
package import Hummingbird
package import InlayServerCore
@_spi(Inlay) package import InlayWire

/// A request to the Workbench. Its session, role, form and environment are checked before the route's handler runs.
package struct WorkbenchRequest: Sendable {
    /// The operator, with at least the role that the route names.
    package let `operator`: Operator
    /// The CSRF token, which every form of the page contains.
    package let csrfToken: String
    /// The environment in the URL; `nil` when the URL names none.
    package let environment: AppEnvironment?
    /// All environments, for the menu that switches between them.
    package let environments: [AppEnvironment]
    /// The path of the URL, for the navigation.
    package let path: String
    /// The query of the URL.
    package let query: FormFields
    /// The form's fields; empty for a page.
    package let form: FormFields
    /// The body of an upload, as a stream; `nil` for other requests.
    package let upload: RequestBody?
    /// The named parameters of the path, decoded.
    package let parameters: [String: String]
    /// The message about the last action.
    package let flash: Flash?
    /// Whether a script requested only a part of the page.
    package let wantsFragment: Bool
    /// The server's clock at the request.
    package let now: Timestamp
    /// The changes that the request made so far, for the audit log.
    package let auditLines: AuditLines
    /// The time zone of environments that have none of their own.
    package let serverZone: CalendarZone

    /// The time zone in which the page shows times and interprets times that the operator enters.
    package var zone: CalendarZone { environment?.timeZone ?? serverZone }
    /// The current day in ``zone``.
    package var today: CalendarDay { zone.day(of: now) }

    /// The environment's id; throws `not-found` without one. Routes that use it have `:environment` in their path.
    package var environmentID: EnvironmentID {
        get throws {
            guard let environment else { throw Problem.notFound }
            return environment.id
        }
    }

    /// Returns a named parameter of the path; throws `not-found` when there is none.
    package func parameter(_ name: String) throws -> String {
        guard let value = parameters[name] else { throw Problem.notFound }
        return value
    }

    /// Returns a path within the environment, for example `/workbench/e/harbor/users`.
    package func address(_ parts: String...) -> String {
        Self.address(environment: environment?.id.rawValue ?? "", parts)
    }

    package static func address(environment: String, _ parts: [String]) -> String {
        (["/workbench/e", environment].map { $0 } + parts).enumerated().map { index, part in
            index == 0 ? part : FormFields.escaped(part)
        }.joined(separator: "/")
    }

    /// Whether the operator has this role or a higher one.
    package func may(_ role: OperatorRole) -> Bool { `operator`.role >= role }

    /// Returns a time as the page shows it.
    package func moment(_ time: Timestamp) -> Moment { Moment(time, now: now, in: zone) }
}
