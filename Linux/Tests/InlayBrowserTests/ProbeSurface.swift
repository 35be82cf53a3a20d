@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWire

/// A surface that reports its runs and events to the test, and sends every event back as a patch.
struct ProbeSurface: Surface {
    enum Happening: Equatable, Sendable {
        case began(SurfaceEnvironment)
        case heard(String)
        case ended(cancelled: Bool)
    }

    let name: String
    let assets = SurfaceAssets.engine
    let happenings: AsyncStream<Happening>
    private let happened: AsyncStream<Happening>.Continuation

    init(name: String = "cards/home") {
        self.name = name
        (happenings, happened) = AsyncStream.makeStream()
    }

    func run(_ link: SurfaceLink) async {
        happened.yield(.began(link.environment))
        for await message in link.events {
            happened.yield(.heard(message.id))
            await link.send(
                SurfaceMessage(
                    surface: name, kind: SurfaceMessage.Kind.patch, id: message.id, payload: message.payload))
        }
        happened.yield(.ended(cancelled: Task.isCancelled))
    }
}
