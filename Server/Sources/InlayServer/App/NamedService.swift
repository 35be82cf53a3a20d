import ServiceLifecycle

/// A service that appears in logs by its name.
///
/// ServiceLifecycle logs the description of a service, and by default that is everything the value holds.
struct NamedService: Service, CustomStringConvertible, CustomReflectable {
    let description: String
    private let service: any Service

    init(_ name: String, _ service: any Service) {
        description = name
        self.service = service
    }

    var customMirror: Mirror { Mirror(self, children: []) }

    func run() async throws { try await service.run() }
}
