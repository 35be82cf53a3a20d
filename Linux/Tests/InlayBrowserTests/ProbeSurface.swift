@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

/// A surface that reports its runs and events to the test, and sends every event back as a patch.
struct ProbeSurface: Surface {
    enum RunEvent: Equatable, Sendable {
        case began(SurfaceEnvironment)
        case received(String)
        case ended(cancelled: Bool)
    }

    let name: String
    let assets = SurfaceAssets.engine
    let runEvents: AsyncStream<RunEvent>
    private let continuation: AsyncStream<RunEvent>.Continuation

    init(name: String = "cards/home") {
        self.name = name
        (runEvents, continuation) = AsyncStream.makeStream()
    }

    func run(_ link: SurfaceLink) async {
        continuation.yield(.began(link.environment))
        for await message in link.events {
            continuation.yield(.received(message.id))
            await link.send(
                SurfaceMessage(
                    surface: name, kind: SurfaceMessage.Kind.patch, id: message.id, payload: message.payload))
        }
        continuation.yield(.ended(cancelled: Task.isCancelled))
    }
}
