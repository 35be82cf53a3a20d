import Foundation
import InlayCardsServer
@_spi(Inlay) import InlayCore
import InlayHubServer
import InlayNIO
import InlayServer
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A client that publishes a folder: it uploads the files that the server lacks, then the manifest.
struct PublishClient {
    private let transport: any Transport
    private let base: URL
    private let headers: [String: String]

    init(server: URL, environmentID: EnvironmentID, sourceID: String, secret: String) throws {
        transport = try NIOTransport()
        base = server.appendingPathComponent("v1/hub").appendingPathComponent(sourceID)
        headers = [InlayHeader.environment: environmentID.rawValue, "Authorization": "Bearer \(secret)"]
    }

    /// Publishes a folder. Throws the server's problem as text.
    func publish(_ folder: HubFolder, note: String?) async throws -> HubPublication {
        var manifest = folder.manifest
        manifest.note = note ?? manifest.note
        let wanted = FileList(files: Array(Set(manifest.assets.values)))
        let missing: FileList = try await post("missing", wanted)
        for blob in missing.files {
            guard let path = manifest.assets.first(where: { $0.value == blob })?.key else { continue }
            try await put(blob, try folder.data(path))
        }
        return try await post("publish", manifest)
    }

    private struct FileList: Codable { var files: [HubBlob] }

    private func put(_ blob: HubBlob, _ data: Data) async throws {
        let url = base.appendingPathComponent("files").appendingPathComponent(blob.hash)
        let answer = try await transport.send(
            TransportRequest(
                method: "PUT", url: url,
                headers: headers.merging(["Content-Type": "application/octet-stream"]) { $1 }, body: data,
                timeout: .seconds(600)))
        try check(answer)
    }

    private func post<Body: Encodable, Answer: Decodable>(_ path: String, _ body: Body) async throws -> Answer
    {
        let answer = try await transport.send(
            TransportRequest(
                method: "POST", url: base.appendingPathComponent(path),
                headers: headers.merging(["Content-Type": "application/json"]) { $1 },
                body: try JSONEncoder().encode(body), timeout: .seconds(300)))
        try check(answer)
        return try JSONDecoder().decode(Answer.self, from: answer.body)
    }

    private func check(_ answer: TransportResponse) throws {
        guard !(200..<300).contains(answer.status) else { return }
        guard let problem = try? JSONDecoder().decode(Problem.self, from: answer.body) else {
            throw CommandError("The server answered \(answer.status).")
        }
        throw CommandError([problem.title, problem.detail].compactMap(\.self).joined(separator: "\n"))
    }
}
