import Foundation
import InlayCore

/// Fetches the film of a video ad: the best of its files that can be had.
///
/// Everything goes through the session's gate, without a token; a load that is given up ends it at once.
struct AdFilmLoader: Sendable {
    /// How long one file may take.
    static let fileTime = Duration.seconds(15)
    /// How long all of it may take, waiting for other films included.
    static let time = Duration.seconds(30)
    /// How many files of one ad are tried.
    private static let files = 4

    let transport: any Transport
    let clock: any SessionClock
    let memory: AdFilmMemory
    /// Hosts that may be asked without TLS.
    let plainHosts: Set<String>

    /// The film of a video. When no file can be had, the reason is the best file's.
    func film(of video: AdVideo) async throws(AdFilmFailure) -> AdFilm {
        let files = ([video.media] + video.alternatives).prefix(Self.files)
        let film = await clock.within(Self.time) { await first(of: Array(files)) }
        return try (film ?? .failure(.timedOut)).get()
    }

    private func first(of files: [AdVideo.Media]) async -> Result<AdFilm, AdFilmFailure> {
        guard let place = await memory.place() else { return .failure(.timedOut) }
        var reason: AdFilmFailure?
        for file in files where !Task.isCancelled {
            do throws(AdFilmFailure) {
                let data = try await data(of: file, atMost: place.bytes)
                guard let type = FilmFormat.mediaType(of: data) else { throw .unreadable }
                place.keep(data.count)
                return .success(AdFilm(media: file, mediaType: type, data: data, place: place))
            } catch {
                reason = reason ?? error
            }
        }
        return .failure(reason ?? .timedOut)
    }

    private func data(of media: AdVideo.Media, atMost bytes: Int) async throws(AdFilmFailure) -> Data {
        guard bytes > 0 else { throw .tooLarge }
        guard let url = URL(string: media.address), let scheme = url.scheme?.lowercased(),
            scheme == "https" || scheme == "http" && plainHosts.contains(url.host?.lowercased() ?? "")
        else {
            throw .missing("not an https address")
        }
        let request = TransportRequest(url: url, timeout: Self.fileTime, maximumResponseBytes: bytes)
        let file = await self.clock.within(Self.fileTime) { await self.answer(request) }
        return try (file ?? .failure(.timedOut)).get()
    }

    private func answer(_ request: TransportRequest) async -> Result<Data, AdFilmFailure> {
        do throws(TransportError) {
            let answer = try await transport.send(request)
            guard answer.status == 200 else { return .failure(.missing("status \(answer.status)")) }
            // Not every transport counts while it reads.
            guard answer.body.count <= request.maximumResponseBytes else { return .failure(.tooLarge) }
            return .success(answer.body)
        } catch {
            switch error {
            case .timedOut: return .failure(.timedOut)
            case .tooLarge: return .failure(.tooLarge)
            default: return .failure(.missing("\(error)"))
            }
        }
    }
}

extension SessionClock {
    /// What the work brings; `nil` when the time is over first, and then the work is cancelled.
    func within<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await work() }
            group.addTask {
                try? await sleep(for: limit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }
}
