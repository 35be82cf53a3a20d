import InlaySQL
import Testing

@testable import InlayServerCore
@testable import InlayServerTesting

@Suite(.timeLimit(.minutes(3))) struct EnvironmentTests {
    private struct Refused: Error {}

    @Test(arguments: SQLEngine.allCases)
    func `an environment that cannot be prepared is not created, and can be created again`(
        _ engine: SQLEngine
    ) async throws {
        try await TestApp.run(engine) { app in
            let environments = app.services.environments
            await #expect(throws: Refused.self) {
                try await environments.create(id: "harbor", name: "Harbor") { _, _ in throw Refused() }
            }
            #expect(try await environments.environment("harbor") == nil)
            _ = try await environments.create(id: "harbor", name: "Harbor") { id, connection in
                _ = try connection.execute(
                    "UPDATE environments SET name = 'Prepared' WHERE id = ?", [.id(id)])
            }
            #expect(try await environments.environment("harbor")?.name == "Prepared")
        }
    }
}
