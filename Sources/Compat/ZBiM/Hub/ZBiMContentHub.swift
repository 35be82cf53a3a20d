internal import Foundation
internal import InlayHub
internal import InlayPlatform

/// A presented hub. The app gets the object of a nested hub.
@MainActor final class ZBiMContentHub: ZBiMContentHubDelegate {
    /// The hubs that are or were on screen, by the ids of their presentations; not retained.
    private static var hubs: [String: Weak] = [:]
    private struct Weak { weak var hub: ZBiMContentHub? }

    let view = UIView(frame: .zero)
    private(set) var presentation: HubPresentation?
    private weak var parentView: UIView?
    private weak var container: UIViewController?
    private weak var scrollDelegate: (any UIScrollViewDelegate)?
    private weak var statusView: UIView?
    private var stateTask: Task<Void, Never>?
    private var scrollTask: Task<Void, Never>?
    // Only an argument for delegates: content scrolls in a frame of the web page and not in a view of the system.
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

    /// Adds the view to the parent view, and follows the presentation's states until it is dismissed.
    func show(_ presentation: HubPresentation) {
        self.presentation = presentation
        Self.hubs = Self.hubs.filter { $0.value.hub != nil }
        Self.hubs[presentation.id] = Weak(hub: self)
        if let parentView {
            view.frame = parentView.bounds
            parentView.addSubview(view)
        }
        followScrolling(of: presentation)
        stateTask?.cancel()
        let states = presentation.states
        // Ends when the hub is dismissed or released.
        stateTask = Task { [weak self] in
            for await state in states {
                // When the hub is on screen again, the cancelled task may still receive an earlier state.
                guard let self, !Task.isCancelled else { return }
                self.draw(state.status)
                if !state.isDisplayed { return self.left() }
            }
        }
    }

    private func followScrolling(of presentation: HubPresentation) {
        scrollTask?.cancel()
        let offsets = presentation.scrollOffsets
        // Ends when the hub is dismissed or released.
        scrollTask = Task { [weak self] in
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

    /// Tells the container that a page has requested to close the hub; does nothing if the container is no delegate.
    func closeRequested() { (container as? any ZBiMContentHubContainerDelegate)?.closeContentHub() }

    private func left() {
        stateTask?.cancel()
        scrollTask?.cancel()
        view.removeFromSuperview()
    }

    /// Shows the app's own view for a status, in place of the built-in one.
    private func draw(_ status: HubStatus) {
        statusView?.removeFromSuperview()
        guard let delegate = ZBiM.statusUI else { return }
        let appView: UIView?
        switch status {
        case .checking: appView = delegate.getCheckingForContentView(status.message)
        case .downloading(let percent):
            appView = delegate.getDownloadProgressView(
                status.message, percentCompleted: CGFloat(percent / 100))
        case .failed: appView = delegate.getErrorView(status.message)
        case .content: appView = nil
        }
        guard let appView else { return }
        appView.frame = view.bounds
        view.addSubview(appView)
        statusView = appView
    }
}
