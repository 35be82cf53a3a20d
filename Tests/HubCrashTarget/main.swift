import Dispatch
import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayHub

// A process that kills itself in the middle of an update.
//
// Arguments: store folder, repository folder, version, microseconds until the kill (-1: none), the largest
// file that may be written (-1: any).

#if os(Linux) || os(macOS)
    let arguments = CommandLine.arguments
    guard arguments.count == 6, let version = Int64(arguments[3]), let delay = Int(arguments[4]),
        let maximumFileSize = Int(arguments[5]), let url = URL(string: "https://target.test")
    else {
        FileHandle.standardError.write(
            Data("usage: hub-crash-target STORE REPOSITORY VERSION DELAY LARGEST\n".utf8))
        exit(2)
    }
    let repository = URL(fileURLWithPath: arguments[2])
    let configuration = SessionConfiguration(
        environmentID: "env", apiKey: "key", baseURL: url, folder: URL(fileURLWithPath: arguments[1]))
    let session = try await InlaySession(
        configuration: configuration, transport: FolderTransport(folder: repository, version: version)
    ) { nil }
    if maximumFileSize >= 0 {
        // A write beyond the limit then fails as on a full disk, instead of ending the process.
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: rlim_t(maximumFileSize), rlim_max: rlim_t(maximumFileSize))
        #if os(Linux)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        #else
            setrlimit(RLIMIT_FSIZE, &limit)
        #endif
    }
    if delay >= 0 {
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(delay)) {
            kill(getpid(), SIGKILL)
        }
    }
    var hub = HubConfiguration(
        source: "harbor", trust: .root(try Data(contentsOf: repository.appendingPathComponent("root.json"))))
    hub.metrics = nil
    do {
        try session.hub.start(hub)
        try await session.hub.update()
        exit(0)
    } catch {
        if error == .diskFull { exit(3) }
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(1)
    }
#endif

/// A server that serves the files of a folder; `version` is its newest version.
private struct FolderTransport: Transport {
    let folder: URL
    let version: Int64

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        // /v1/hub/<environment>/<source>/<tree>/<path>
        let parts = request.url.path.split(separator: "/").dropFirst(4).map(String.init)
        var path = parts.joined(separator: "/")
        if path == "metadata/timestamp.json" { path = "timestamps/\(version).json" }
        guard let data = try? Data(contentsOf: folder.appendingPathComponent(path)) else {
            return TransportResponse(status: 404)
        }
        return TransportResponse(status: 200, body: data)
    }

    func openSocket(_ request: TransportRequest) async throws(TransportError) -> any TransportSocket {
        throw .unsupported("sockets")
    }
}
