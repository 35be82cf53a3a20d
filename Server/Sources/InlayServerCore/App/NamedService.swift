package import ServiceLifecycle

/// A service that appears in logs by its name.
///
/// ServiceLifecycle logs the description of a service, and by default that is everything the value holds.
package struct NamedService: Service, CustomStringConvertible, CustomReflectable {
    package let description: String
    private let service: any Service

    package init(_ name: String, _ service: any Service) {
        description = name
        self.service = service
    }

    package var customMirror: Mirror { Mirror(self, children: []) }

    package func run() async throws { try await service.run() }
}
