@_exported import Foundation

open class ASIdentifierManager: NSObject {
    open class func shared() -> ASIdentifierManager { ASIdentifierManager() }
    open var advertisingIdentifier: UUID { UUID() }
}
