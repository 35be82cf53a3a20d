@_exported import Foundation

open class ATTrackingManager: NSObject {
    public enum AuthorizationStatus: UInt, Sendable { case notDetermined, restricted, denied, authorized }
    open class var trackingAuthorizationStatus: AuthorizationStatus { .notDetermined }
}
