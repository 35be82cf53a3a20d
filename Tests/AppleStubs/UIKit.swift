@_exported import Foundation

@MainActor open class UIResponder: NSObject {}

@MainActor open class UIViewController: UIResponder {
    public init(nibName: String?, bundle: Bundle?) { super.init() }
    public required init?(coder: NSCoder) { nil }
    open var view: UIView! {
        get { nil }
        set {}
    }
    open var navigationController: UINavigationController? { nil }
    open var presentedViewController: UIViewController? { nil }
    open var presentingViewController: UIViewController? { nil }
    open var prefersStatusBarHidden: Bool { false }
    open func present(_ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil) {}
    open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {}
}

@MainActor open class UINavigationController: UIViewController {
    open var viewControllers: [UIViewController] {
        get { [] }
        set {}
    }
    open func setViewControllers(_ controllers: [UIViewController], animated: Bool) {}
    open func pushViewController(_ controller: UIViewController, animated: Bool) {}
    @discardableResult open func popViewController(animated: Bool) -> UIViewController? { nil }
}

@MainActor open class UIView: UIResponder {
    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let flexibleWidth = Self(rawValue: 2)
        public static let flexibleHeight = Self(rawValue: 16)
    }

    public init(frame: CGRect) { super.init() }
    open var frame = CGRect.zero
    open var bounds = CGRect.zero
    open var subviews: [UIView] { [] }
    open var superview: UIView? { nil }
    open var backgroundColor: UIColor?
    open var autoresizingMask: AutoresizingMask = []
    open func addSubview(_ view: UIView) {}
    open func removeFromSuperview() {}
    open func isDescendant(of view: UIView) -> Bool { false }
}

@MainActor open class UIScrollView: UIView {
    open var contentOffset = CGPoint.zero
    open var contentSize = CGSize.zero
}

@MainActor public protocol UIScrollViewDelegate: NSObjectProtocol {
    // An optional method of Objective-C, which a protocol of Swift can only declare as an optional closure.
    var scrollViewDidScroll: ((UIScrollView) -> Void)? { get }
}

@MainActor open class UIWindow: UIView {
    open var rootViewController: UIViewController?
    open var isKeyWindow: Bool { false }
}

@MainActor open class UIScene: UIResponder {}

@MainActor open class UIWindowScene: UIScene {
    open var windows: [UIWindow] { [] }
    open var keyWindow: UIWindow? { nil }
}

@MainActor open class UIApplication: UIResponder {
    public enum State: Int, Sendable { case active, inactive, background }
    public struct LaunchOptionsKey: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let remoteNotification = Self(rawValue: "")
        public static let localNotification = Self(rawValue: "")
    }
    public struct OpenExternalURLOptionsKey: Hashable, Sendable {}

    public static let shared = UIApplication()
    public nonisolated static let didBecomeActiveNotification = Notification.Name("")
    public nonisolated static let didEnterBackgroundNotification = Notification.Name("")
    open var applicationState: State { .active }
    open var connectedScenes: Set<UIScene> { [] }
    open var scheduledLocalNotifications: [UILocalNotification]?
    open func scheduleLocalNotification(_ notification: UILocalNotification) {}
    open func cancelLocalNotification(_ notification: UILocalNotification) {}
    open func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {}
    @discardableResult open func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async
        -> Bool
    {
        false
    }
}

@MainActor open class UIAlertController: UIViewController {
    public enum Style: Int { case actionSheet, alert }
    public convenience init(title: String?, message: String?, preferredStyle: Style) {
        self.init(nibName: nil, bundle: nil)
    }
    open func addAction(_ action: UIAlertAction) {}
}

@MainActor open class UIAlertAction: NSObject {
    public enum Style: Int { case `default`, cancel, destructive }
    public init(title: String?, style: Style, handler: (@MainActor @Sendable (UIAlertAction) -> Void)? = nil)
    {
        super.init()
    }
}

@MainActor open class UILocalNotification: NSObject {
    open var fireDate: Date?
    open var alertBody: String?
    open var alertTitle: String?
    open var alertAction: String?
    open var userInfo: [AnyHashable: Any]?
}

open class UIColor: NSObject, @unchecked Sendable {
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {}
    open class var white: UIColor { UIColor(red: 0, green: 0, blue: 0, alpha: 0) }
    open class var black: UIColor { UIColor(red: 0, green: 0, blue: 0, alpha: 0) }
    open class var red: UIColor { UIColor(red: 0, green: 0, blue: 0, alpha: 0) }
    open class var blue: UIColor { UIColor(red: 0, green: 0, blue: 0, alpha: 0) }
    open func withAlphaComponent(_ alpha: CGFloat) -> UIColor { self }
    @discardableResult open func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
        blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool { false }
}

open class UIImage: NSObject, @unchecked Sendable {
    public init?(data: Data) {}
    open func pngData() -> Data? { nil }
}
