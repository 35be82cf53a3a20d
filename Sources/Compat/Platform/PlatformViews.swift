#if !canImport(UIKit)
    public import Foundation

    /// A substitute for UIKit's view on systems without UIKit: a node in a tree of views, with a frame.
    @MainActor open class UIView: NSObject {
        /// The view's rectangle in its superview.
        open var frame: CGRect { didSet { fitSubviews() } }
        /// The subviews, the rearmost first.
        public private(set) var subviews: [UIView] = []
        /// The view that contains this view.
        public private(set) weak var superview: UIView?
        /// The color behind the subviews.
        open var backgroundColor: UIColor?
        /// Whether the view's frame follows the bounds of its superview.
        open var fillsSuperview = false { didSet { superview?.fitSubviews() } }

        /// Creates a view with a frame in its future superview.
        public init(frame: CGRect = .zero) {
            self.frame = frame
            super.init()
        }

        /// The view's rectangle in its own coordinates.
        public var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }

        /// Adds a view in front of the other subviews.
        open func addSubview(_ view: UIView) {
            view.removeFromSuperview()
            subviews.append(view)
            view.superview = self
            fitSubviews()
        }

        /// Removes the view from its superview.
        open func removeFromSuperview() {
            superview?.subviews.removeAll { $0 === self }
            superview = nil
        }

        /// Whether this view is the given view or is inside it, at any depth.
        open func isDescendant(of view: UIView) -> Bool {
            var current: UIView? = self
            while let ancestor = current {
                if ancestor === view { return true }
                current = ancestor.superview
            }
            return false
        }

        private func fitSubviews() {
            for view in subviews where view.fillsSuperview && view.frame != bounds { view.frame = bounds }
        }
    }

    /// A substitute for UIKit's scroll view on systems without UIKit, with a scroll offset.
    @MainActor open class UIScrollView: UIView {
        /// The offset of the content from its top left corner.
        open var contentOffset = CGPoint.zero
    }

    /// A substitute for the delegate of UIKit's scroll view.
    @MainActor public protocol UIScrollViewDelegate: AnyObject {
        /// The content moved.
        func scrollViewDidScroll(_ scrollView: UIScrollView)
    }

    extension UIScrollViewDelegate {
        public func scrollViewDidScroll(_ scrollView: UIScrollView) {}
    }

    /// A substitute for UIKit's local notification.
    @MainActor open class UILocalNotification: NSObject {
        /// The time at which the notification is shown.
        open var fireDate: Date?
        /// The text of the notification.
        open var alertBody: String?
        /// The title of the notification's button.
        open var alertAction: String?
        /// The title of the notification.
        open var alertTitle: String?
        /// The app's own data.
        open var userInfo: [AnyHashable: Any]?
    }
#endif
