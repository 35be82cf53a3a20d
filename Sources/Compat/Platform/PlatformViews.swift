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
        /// What shows where no subview covers it.
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
        /// How far the content is moved, from its top left corner.
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
        /// When it shows.
        open var fireDate: Date?
        /// What it says.
        open var alertBody: String?
        /// What its button asks for.
        open var alertAction: String?
        /// Its heading.
        open var alertTitle: String?
        /// What the app keeps with it.
        open var userInfo: [AnyHashable: Any]?
    }
#endif
