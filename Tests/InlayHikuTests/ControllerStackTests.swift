import Testing

@testable import InlayHiku

/// The dismissal of one of several stacked controllers. The fakes stand in for UIKit and enforce its rules.
@MainActor @Suite struct ControllerStackTests {
    private let screen = FakeScreen()

    private func ends(_ name: String, also ended: Set<String> = []) -> [String] {
        guard let controller = screen.controllers.first(where: { $0.name == name }) else { return [] }
        ControllerStack<FakeController>(hasEnded: { ended.contains($0.name) }).remove(controller)
        screen.settle()
        return screen.names
    }

    @Test func `dismissing the top controller leaves the others`() {
        screen.show(["app", "setup", "tips"])
        #expect(ends("tips") == ["app", "setup"])
        #expect(ends("setup") == ["app"])
    }

    @Test func `controllers above the dismissed one are presented again in their order`() {
        screen.show(["app", "setup", "tips", "alert", "sheet"])
        #expect(ends("setup") == ["app", "tips", "alert", "sheet"])
        #expect(ends("alert") == ["app", "tips", "sheet"])
        #expect(screen.refused.isEmpty)
    }

    @Test func `a controller that has ended is not presented again, and those above it are`() {
        screen.show(["app", "setup", "tips", "alert"])
        #expect(ends("setup", also: ["tips"]) == ["app", "alert"])
    }

    @Test func `a controller that ends while others are presented again is not presented`() {
        screen.show(["app", "setup", "tips", "another"])
        var ended: Set<String> = []
        screen.onShow = { if $0 == "tips" { ended.insert("another") } }
        ControllerStack<FakeController>(hasEnded: { ended.contains($0.name) }).remove(screen.controllers[1])
        screen.settle()
        #expect(screen.names == ["app", "tips"])
    }
}

/// A stack of controllers whose presentations and dismissals complete in ``settle()``.
@MainActor private final class FakeScreen {
    var controllers: [FakeController] = []
    var refused: [String] = []
    var onShow: (String) -> Void = { _ in }
    private var pending: [@MainActor () -> Void] = []

    var names: [String] { controllers.map(\.name) }

    func show(_ names: [String]) {
        controllers = names.map { FakeController($0, self) }
        for controller in controllers { controller.isInHierarchy = true }
    }

    func completeLater(_ work: @escaping @MainActor () -> Void) { pending.append(work) }

    func settle() { while !pending.isEmpty { pending.removeFirst()() } }
}

@MainActor private final class FakeController: StackedController {
    let name: String
    var isInHierarchy = false
    private unowned let screen: FakeScreen

    init(_ name: String, _ screen: FakeScreen) {
        self.name = name
        self.screen = screen
    }

    private var place: Int? { screen.controllers.firstIndex { $0 === self } }
    var above: FakeController? { place.flatMap { screen.controllers.dropFirst($0 + 1).first } }
    var below: FakeController? { place.flatMap { $0 > 0 ? screen.controllers[$0 - 1] : nil } }

    func present(_ next: FakeController, completion: @escaping @MainActor () -> Void) {
        // UIKit refuses a presenter whose view is not in the window hierarchy, or which already presents another.
        guard isInHierarchy, above == nil else { return screen.refused.append(next.name) }
        screen.controllers.append(next)
        screen.onShow(next.name)
        screen.completeLater {
            next.isInHierarchy = true
            completion()
        }
    }

    func dismiss(isAnimated: Bool, completion: @escaping @MainActor () -> Void) {
        guard let place else { return }
        let left = above == nil ? place : place + 1
        for controller in screen.controllers[left...] { controller.isInHierarchy = false }
        screen.controllers.removeSubrange(left...)
        screen.completeLater(completion)
    }
}
