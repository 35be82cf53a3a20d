import InlayBrowser
import ServiceLifecycle

/// A browser host that runs until the process gets a stop signal.
struct BrowserHostService: Service {
    let host: BrowserHost

    func run() async throws { await cancelWhenGracefulShutdown { await host.run() } }
}
