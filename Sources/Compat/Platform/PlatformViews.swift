#if !canImport(UIKit)
    public import Foundation

    /// Stands in for UIKit's view where there is no UIKit: a place in a tree of views, with bounds.
    @MainActor open class UIView: NSObject {
        /// The view's place in its superview.
        open var frame: CGRect { didSet { fitSubviews() } }
        /// The views inside, the lowest first.
        public private(set) var subviews: [UIView] = []
        /// The view around this one.
        public private(set) weak var superview: UIView?
        /// The color where no subview covers the view.
        open var backgroundColor: UIColor?
        /// Whether the view takes the whole of its superview, whenever that changes its size.
        open var fillsSuperview = false { didSet { superview?.fitSubviews() } }

        /// A view at a place.
        public init(frame: CGRect = .zero) {
            self.frame = frame
            super.init()
        }

        /// The view's own area.
        public var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }

        /// Puts a view inside, above all others.
        open func addSubview(_ view: UIView) {
            view.removeFromSuperview()
            subviews.append(view)
            view.superview = self
            fitSubviews()
        }

        /// Takes the view out of its superview.
        open func removeFromSuperview() {
            superview?.subviews.removeAll { $0 === self }
            superview = nil
        }

        /// Whether a view is this one, or somewhere around it.
        open func isDescendant(of view: UIView) -> Bool {
            var current: UIView? = self
            while let known = current {
                if known === view { return true }
                current = known.superview
            }
            return false
        }

        private func fitSubviews() {
            for view in subviews where view.fillsSuperview && view.frame != bounds { view.frame = bounds }
        }
    }

    /// Stands in for UIKit's view that scrolls: knows how far.
    @MainActor open class UIScrollView: UIView {
        /// The offset of the content from its top left corner.
        open var contentOffset = CGPoint.zero
    }

    /// Stands in for UIKit's delegate of scrolling.
    @MainActor public protocol UIScrollViewDelegate: AnyObject {
        /// The content moved.
        func scrollViewDidScroll(_ scrollView: UIScrollView)
    }

    extension UIScrollViewDelegate {
        public func scrollViewDidScroll(_ scrollView: UIScrollView) {}
    }

    /// Stands in for UIKit's local notification.
    @MainActor open class UILocalNotification: NSObject {
        /// The time at which the notification is shown.
        open var fireDate: Date?
        /// The text of the notification.
        open var alertBody: String?
        /// The title of its button.
        open var alertAction: String?
        /// Its heading.
        open var alertTitle: String?
        /// The app's own data.
        open var userInfo: [AnyHashable: Any]?
    }
#endif
