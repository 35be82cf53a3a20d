internal import Foundation
internal import InlayHub
internal import InlayPlatform

/// A hub that was presented: nested ones are handed to the app.
@MainActor final class ZBiMContentHub: ZBiMContentHubDelegate {
    /// The hubs that are or were on screen, as long as another object holds them.
    private static var hubs: [String: Weak] = [:]
    private struct Weak { weak var hub: ZBiMContentHub? }

    let view = UIView(frame: .zero)
    private(set) var presentation: HubPresentation?
    private weak var parentView: UIView?
    private weak var container: UIViewController?
    private weak var scrollDelegate: (any UIScrollViewDelegate)?
    private weak var statusView: UIView?
    private var following: Task<Void, Never>?
    private var scrolling: Task<Void, Never>?
    // The view that delegates get. Documents scroll in a frame of the page, so no view of the system scrolls.
    private let scrollView = UIScrollView(frame: .zero)

    init(parentView: UIView?, container: UIViewController?) {
        (self.parentView, self.container) = (parentView, container)
        #if canImport(UIKit)
            view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        #else
            view.fillsSuperview = true
        #endif
    }

    static func hub(of presentation: HubPresentation) -> ZBiMContentHub? { hubs[presentation.id]?.hub }

    /// The hub came on screen.
    func show(_ presentation: HubPresentation) {
        self.presentation = presentation
        Self.hubs = Self.hubs.filter { $0.value.hub != nil }
        Self.hubs[presentation.id] = Weak(hub: self)
        if let parentView {
            view.frame = parentView.bounds
            parentView.addSubview(view)
        }
        followScrolling(of: presentation)
        following?.cancel()
        let states = presentation.states
        // Ends when the hub is dismissed or let go of.
        following = Task { [weak self] in
            for await state in states {
                // A state from before the hub was left may still come, when it is on screen again.
                guard let self, !Task.isCancelled else { return }
                self.draw(state.status)
                if !state.isDisplayed { return self.left() }
            }
        }
    }

    private func followScrolling(of presentation: HubPresentation) {
        scrolling?.cancel()
        let offsets = presentation.scrollOffsets
        // Ends when the hub is dismissed or let go of.
        scrolling = Task { [weak self] in
            for await top in offsets {
                guard let self, !Task.isCancelled else { return }
                self.scrolled(to: top)
            }
        }
    }

    private func scrolled(to top: Double) {
        scrollView.contentOffset = CGPoint(x: 0, y: top)
        #if canImport(UIKit)
            scrollDelegate?.scrollViewDidScroll?(scrollView)
        #else
            scrollDelegate?.scrollViewDidScroll(scrollView)
        #endif
    }

    func goBack() { presentation?.goBack() }

    func canGoBack() -> Bool { presentation?.canGoBack ?? false }

    func goForward() { presentation?.goForward() }

    func canGoForward() -> Bool { presentation?.canGoForward ?? false }

    func dismiss() throws {
        guard let presentation else { throw HubError.notDisplayed.documented }
        do throws(HubError) { try presentation.dismiss() } catch { throw error.documented }
        left()
        ZBiMRuntime.shared.change { $0.flags.isDisplaying = false }
    }

    func setScrollDelegate(_ delegate: (any UIScrollViewDelegate)?) { scrollDelegate = delegate }

    func setBackgroundColor(_ color: UIColor) { view.backgroundColor = color }

    /// A page asked to be closed: the container decides, if it has a say at all.
    func closeRequested() { (container as? any ZBiMContentHubContainerDelegate)?.closeContentHub() }

    private func left() {
        following?.cancel()
        scrolling?.cancel()
        view.removeFromSuperview()
    }

    /// The app's own view for a status, in place of the built-in one.
    private func draw(_ status: HubStatus) {
        statusView?.removeFromSuperview()
        guard let delegate = ZBiM.statusUI else { return }
        let made: UIView?
        switch status {
        case .checking: made = delegate.getCheckingForContentView(status.message)
        case .downloading(let percent):
            made = delegate.getDownloadProgressView(status.message, percentCompleted: CGFloat(percent / 100))
        case .failed: made = delegate.getErrorView(status.message)
        case .content: made = nil
        }
        guard let made else { return }
        made.frame = view.bounds
        view.addSubview(made)
        statusView = made
    }
}
