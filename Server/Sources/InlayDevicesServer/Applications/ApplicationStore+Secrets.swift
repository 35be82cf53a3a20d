package import Foundation
import InlaySQL
package import InlayServerCore
@_spi(Inlay) package import InlayWire

extension ApplicationStore {
    /// Creates another secret beside the one in use; throws `conflict` when there are two active ones.
    package func addSecret(_ environmentID: EnvironmentID, _ applicationID: ApplicationID) async throws
        -> String
    {
        guard let application = try await application(environmentID, applicationID),
            application.revokedAt == nil
        else { throw Problem.notFound("application") }
        let moment = now()
        let secret = try await database.write { connection in
            // Locks the application's row, so that two concurrent calls do not create a third secret.
            try connection.execute(
                "UPDATE device_applications SET name = name WHERE environment_id = ? AND id = ?",
                [.id(environmentID), .id(applicationID)])
            let live = try Self.hashes(environmentID, applicationID, in: connection)
            guard live.count < DeviceApplication.maximumSecrets else {
                throw Problem(
                    .conflict, status: 409, title: "The application has two active secrets.",
                    detail: "Revoke the one that no app uses any more, then create another.")
            }
            return try Self.insertSecret(application, at: moment, in: connection)
        }
        try await changed(environmentID)
        return secret
    }

    /// Returns the secrets, newest first, also revoked ones.
    package func secrets(
        _ environmentID: EnvironmentID, _ applicationID: ApplicationID
    ) async throws -> [ApplicationSecret] {
        try await database.read {
            try $0.rows(
                """
                SELECT id, created_at, revoked_at FROM device_application_secrets
                WHERE environment_id = ? AND application_id = ? ORDER BY created_at DESC, id
                """, [.id(environmentID), .id(applicationID)]
            ).map {
                ApplicationSecret(
                    id: try $0.text("id"), createdAt: try $0.moment("created_at"),
                    revokedAt: try $0.optionalMoment("revoked_at"))
            }
        }
    }

    /// Revokes a secret, which is refused at once; throws `not-found`.
    package func revokeSecret(
        _ environmentID: EnvironmentID, _ applicationID: ApplicationID, _ id: String
    ) async throws {
        let moment = now()
        try await database.changeOne(
            "secret",
            """
            UPDATE device_application_secrets SET revoked_at = ?
            WHERE environment_id = ? AND application_id = ? AND id = ? AND revoked_at IS NULL
            """, [.moment(moment), .id(environmentID), .id(applicationID), .text(id)])
        try await self.changed(environmentID)
    }

    /// Returns the application with an id, in any environment, with the hashes of its active secrets.
    func credentials(of id: ApplicationID) async throws -> ApplicationCredentials? {
        guard id.rawValue.utf8.count <= 64 else { return nil }
        let moment = now()
        if let known = cache.value(id, at: moment) { return known }
        let generation = cache.generation
        let found = try await database.read { connection -> ApplicationCredentials? in
            let row = try connection.row(
                "SELECT \(Self.columns) FROM device_applications WHERE id = ?", [.id(id)])
            guard let application = try row.map(DeviceApplication.init) else { return nil }
            return ApplicationCredentials(
                application: application,
                liveHashes: try Self.hashes(application.environmentID, id, in: connection))
        }
        guard let found else { return nil }
        cache.keep(
            found, id, of: found.application.environmentID, at: moment, ifStill: generation)
        return found
    }

    // MARK: Logo

    /// The maximum size of a logo, in bytes.
    package static let maximumLogoBytes = 128 << 10
    /// The error for a file that is no logo, by its type or size.
    package static let unusableLogo = Problem(
        .invalidValue, status: 422, title: "The logo cannot be used.",
        detail: "A PNG, JPEG or WebP picture of at most 128 KiB.")

    /// Sets the logo: PNG, JPEG or WebP, recognized by its first bytes; `nil` removes it.
    package func setLogo(_ environmentID: EnvironmentID, _ id: ApplicationID, _ logo: Data?) async throws {
        guard let logo else {
            return try await change(environmentID, id, "logo = NULL, logo_type = NULL", [])
        }
        guard logo.count <= Self.maximumLogoBytes, let type = Self.imageType(logo) else {
            throw Self.unusableLogo
        }
        try await change(environmentID, id, "logo = ?, logo_type = ?", [.blob(logo), .text(type)])
    }

    /// Returns the logo with its media type, or `nil`.
    package func logo(_ id: ApplicationID) async throws -> (data: Data, mediaType: String)? {
        try await database.read { connection in
            let row = try connection.row(
                "SELECT logo, logo_type FROM device_applications WHERE id = ? AND revoked_at IS NULL",
                [.id(id)])
            guard let row, let data = try row.optionalBlob("logo"),
                let type = try row.optionalText("logo_type")
            else { return nil }
            return (data, type)
        }
    }

    private static func imageType(_ data: Data) -> String? {
        if data.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if data.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        let isWebP =
            data.starts(with: Array("RIFF".utf8)) && data.dropFirst(8).starts(with: Array("WEBP".utf8))
        return isWebP ? "image/webp" : nil
    }

    // MARK: Rows

    static func insertSecret(
        _ application: DeviceApplication, at moment: Timestamp, in connection: any SQLConnection
    ) throws -> String {
        let id = Secret.id("ias_", length: 8)
        let secret = "\(id)_\(Secret.random(bytes: 32))"
        try connection.execute(
            """
            INSERT INTO device_application_secrets (environment_id, application_id, id, hash, created_at)
            VALUES (?, ?, ?, ?, ?)
            """,
            [
                .id(application.environmentID), .id(application.id), .text(id),
                .text(Secret.hash(secret)), .moment(moment),
            ])
        return secret
    }

    private static func hashes(
        _ environmentID: EnvironmentID, _ applicationID: ApplicationID, in connection: any SQLConnection
    ) throws -> [String] {
        try connection.rows(
            """
            SELECT hash FROM device_application_secrets
            WHERE environment_id = ? AND application_id = ? AND revoked_at IS NULL
            """, [.id(environmentID), .id(applicationID)]
        ).map { try $0.text("hash") }
    }
}
