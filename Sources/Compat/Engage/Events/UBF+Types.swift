import Foundation
internal import InlayBehaviors
import InlayPlatform

// EngageSDK's constructors of events; the numbers are the event type codes.
extension UBF {
    /// The app was installed (12). The SDK records it by itself.
    public static func installed(_ params: [AnyHashable: Any]? = nil) -> UBF { UBF(.installed, params) }

    /// A session started (13). The SDK records it by itself.
    public static func sessionStarted(
        _ params: [AnyHashable: Any]? = nil, withCampaign campaign: String? = nil
    ) -> UBF {
        let event = UBF(.sessionStarted, params)
        if let campaign { event.addParam(EngageRuntime.shared.settings.fields.currentCampaign, campaign) }
        return event
    }

    /// A session ended (14). The SDK records it by itself, with its duration.
    public static func sessionEnded(_ params: [AnyHashable: Any]? = nil) -> UBF { UBF(.sessionEnded, params) }

    /// A goal was given up (15).
    public static func goalAbandoned(_ goalName: String, params: [AnyHashable: Any]?) -> UBF {
        UBF(.goalAbandoned, name: goalName, params)
    }

    /// A goal was reached (16).
    public static func goalCompleted(_ goalName: String, params: [AnyHashable: Any]?) -> UBF {
        UBF(.goalCompleted, name: goalName, params)
    }

    /// An event with a name and without a type of its own (17).
    public static func namedEvent(_ eventName: String, params: [AnyHashable: Any]?) -> UBF {
        UBF(.namedEvent, name: eventName, params)
    }

    /// An event with a name, with the parameters of EngageSDK's Android version.
    public static func namedEvent(
        _ context: EngageContext, _ name: String, _ params: [AnyHashable: Any]?
    ) -> UBF { namedEvent(name, params: params) }

    /// A goal was reached, with the parameters of EngageSDK's Android version.
    public static func goalCompleted(
        _ context: EngageContext, _ name: String, _ params: [AnyHashable: Any]?
    ) -> UBF { goalCompleted(name, params: params) }

    /// A goal was given up, with the parameters of EngageSDK's Android version.
    public static func goalAbandoned(
        _ context: EngageContext, _ name: String, _ params: [AnyHashable: Any]?
    ) -> UBF { goalAbandoned(name, params: params) }
}
