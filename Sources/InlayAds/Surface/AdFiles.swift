import Foundation
import InlayCore
import InlaySurface

/// Fetches the video of an ad once, whoever asks for parts of it how often, and keeps it until the next one.
actor AdFiles {
    /// Why a video is not there.
    enum Failure: Error, Hashable {
        /// Nobody has it, or nobody may ask for it.
        case missing(String)
        /// It took too long.
        case timedOut
        /// It is larger than what is held in memory.
        case tooLarge

        /// VAST's number.
        var trackerCode: Int {
            switch self {
            case .missing: 401
            case .timedOut: 402
            case .tooLarge: 400
            }
        }

        var text: String {
            switch self {
            case .missing(let reason): reason
            case .timedOut: "the file took too long"
            case .tooLarge: "the file is too large"
            }
        }
    }

    /// The largest video; it is held in memory while it is shown.
    static let longestVideo = 48 << 20
    private static let limit = Duration.seconds(30)

    private let transport: any Transport
    /// Hosts that may be asked without TLS: this machine, while the server is there too.
    private let plainHosts: Set<String>
    private var show = 0
    private var fetch: Task<Result<SurfaceContent, Failure>, Never>?
    private var failure: Failure?

    init(_ transport: any Transport, plainHosts: Set<String> = []) {
        self.transport = transport
        self.plainHosts = plainHosts
    }

    /// The hosts without TLS that an app at a server of this address may ask.
    static func plainHosts(for server: URL) -> Set<String> {
        let hosts: Set = ["127.0.0.1", "localhost"]
        guard server.scheme?.lowercased() == "http", let host = server.host, hosts.contains(host) else {
            return []
        }
        return hosts
    }

    /// The file of a video, or the next best of its files that can be had.
    func video(_ video: AdVideo, of show: Int) async throws(Failure) -> SurfaceContent {
        if self.show != show {
            (self.show, fetch, failure) = (show, nil, nil)
        }
        let task = fetch ?? start(video)
        fetch = task
        let result = await task.value
        if self.show == show, case .failure(let reason) = result { failure = reason }
        return try result.get()
    }

    /// What became of the last fetch; `nil` when the file came, or was never asked for.
    func failure(of show: Int) -> Failure? { self.show == show ? failure : nil }

    private func start(_ video: AdVideo) -> Task<Result<SurfaceContent, Failure>, Never> {
        let files = [video.media] + video.alternatives
        let (transport, plainHosts) = (transport, plainHosts)
        // Ends with its requests, each of which has a limit; several readers wait for the same one.
        return Task {
            var first: Failure?
            for file in files.prefix(4) {
                do throws(Failure) {
                    return .success(try await Self.load(file, transport, plainHosts))
                } catch {
                    first = first ?? error
                }
            }
            return .failure(first ?? .missing("the ad names no file"))
        }
    }

    private static func load(
        _ file: AdVideo.Media, _ transport: any Transport, _ plainHosts: Set<String>
    ) async throws(Failure) -> SurfaceContent {
        guard let url = URL(string: file.address), let scheme = url.scheme?.lowercased(),
            scheme == "https" || scheme == "http" && plainHosts.contains(url.host?.lowercased() ?? "")
        else {
            throw .missing("not an https address")
        }
        let request = TransportRequest(url: url, timeout: limit, maximumResponseBytes: longestVideo)
        do {
            let answer = try await transport.send(request)
            guard answer.status == 200 else { throw TransportError.unreachable("status \(answer.status)") }
            return SurfaceContent(mediaType: mediaType(file.type), data: answer.body)
        } catch {
            switch error as? TransportError {
            case .timedOut: throw .timedOut
            case .tooLarge: throw .tooLarge
            default: throw .missing("\(error)")
            }
        }
    }

    // A header takes nothing that the ad writes as it likes.
    private static func mediaType(_ type: String) -> String {
        let known: Set = ["video/mp4", "video/webm", "video/ogg", "video/quicktime", "video/3gpp"]
        let essence = type.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        return known.contains(essence) ? essence : "video/mp4"
    }
}
