internal import Foundation
package import InlayCore
internal import InlayDevices

/// What a facade stands on: the platform's own things, or a test's.
package struct HKGround: Sendable {
    package var transport: any Transport
    package var clock: any SessionClock
    package var presenter: any HKPresenting

    @MainActor package init(
        transport: any Transport = URLSessionTransport(), clock: any SessionClock = SystemClock(),
        presenter: any HKPresenting = HKPresenter()
    ) {
        self.transport = transport
        self.clock = clock
        self.presenter = presenter
    }
}
