// The names of these constants are EngageSDK's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The default name of the link parameter with a campaign's name.
public let CURRENT_CAMPAIGN_PARAM_NAME = "CurrentCampaign"
/// The name of the link parameter with a campaign's end, in Unix seconds.
public let CAMPAIGN_EXTERNAL_EXPIRATION_DATETIME_PARAM = "CampaignEndTimeStamp"

// MARK: General

/// The id of the contact list for requests without a list.
public let PLIST_GENERAL_DATABASE_LIST_ID = "databaseListId"
/// The number of stored events at which the SDK sends them.
public let PLIST_GENERAL_UBF_EVENT_CACHE_SIZE = "ubfEventCacheSize"
/// The lifetime of a campaign without an end of its own.
public let PLIST_GENERAL_DEFAULT_CURRENT_CAMPAIGN_EXPIRATION = "defaultCurrentCampaignExpiration"

// MARK: ParamFieldNames

/// The parameter with a campaign's lifetime.
public let PLIST_PARAM_CAMPAIGN_VALID_FOR = "ParamCampaignValidFor"
/// The parameter with a campaign's end.
public let PLIST_PARAM_CAMPAIGN_EXPIRES_AT = "ParamCampaignExpiresAt"
/// The parameter with a campaign's name.
public let PLIST_PARAM_CURRENT_CAMPAIGN = "ParamCurrentCampaign"
/// The parameter with a notification's call to action.
public let PLIST_PARAM_CALL_TO_ACTION = "ParamCallToAction"

// MARK: Session

/// The time in the background after which a session ends.
public let PLIST_SESSION_LIFECYCLE_EXPIRATION = "sessionLifecycleExpiration"

// MARK: Networking

/// The number of retries before an event is given up.
public let PLIST_NETWORK_MAX_NUM_RETRIES = "maxNumRetries"

// MARK: UBFFieldNames

/// The attribute with a session's duration.
public let PLIST_UBF_SESSION_DURATION = "UBFSessionDurationFieldName"
/// The attribute with tags.
public let PLIST_UBF_TAGS = "UBFTagsFieldName"
/// The attribute with a notification's text.
public let PLIST_UBF_DISPLAYED_MESSAGE = "UBFDisplayedMessageFieldName"
/// The attribute with a call to action.
public let PLIST_UBF_CALL_TO_ACTION = "UBFCallToActionFieldName"
/// The attribute with an event's name.
public let PLIST_UBF_EVENT_NAME = "UBFEventNameFieldName"
/// The attribute with a goal.
public let PLIST_UBF_GOAL_NAME = "UBFGoalNameFieldName"
/// The attribute with the campaign.
public let PLIST_UBF_CURRENT_CAMPAIGN_NAME = "UBFCurrentCampaignFieldName"
/// The attribute with the previous campaign.
public let PLIST_UBF_LAST_CAMPAIGN_NAME = "UBFLastCampaignFieldName"
/// The attribute with an address.
public let PLIST_UBF_LOCATION_ADDRESS = "UBFLocationAddressFieldName"
/// The attribute with a place's name.
public let PLIST_UBF_LOCATION_NAME = "UBFLocationNameFieldName"
/// The attribute with the latitude.
public let PLIST_UBF_LATITUDE = "UBFLatitudeFieldName"
/// The attribute with the longitude.
public let PLIST_UBF_LONGITUDE = "UBFLongitudeFieldName"

// MARK: LocationServices

/// The date format of the last known location's time.
public let PLIST_LOCATION_LAST_KNOWN_LOCATION_TIME_FORMAT = "lastKnownLocationDateFormat"
/// The column of the last known location's time.
public let PLIST_LOCATION_LAST_KNOWN_LOCATION_TIME = "lastKnownLocationTimestampColumn"
/// The column of the last known location.
public let PLIST_LOCATION_LAST_KNOWN_LOCATION = "lastKnownLocationColumn"
/// The minimum distance between two reported locations, in meters.
public let PLIST_LOCATION_LOCATION_DISTANCE_FILTER = "locationDistanceFilter"
/// The requested accuracy of locations.
public let PLIST_LOCATION_LOCATION_PRECISION_LEVEL = "locationPrecisionLevel"
/// The time for which an acquired location is reused.
public let PLIST_LOCATION_LOCATION_CACHE_LIFESPAN = "locationCacheLifespan"
/// The time limit for finding the address of a location.
public let PLIST_LOCATION_COORDINATES_PLACEMARK_TIMEOUT = "coordinatesPlacemarkTimeout"
/// The time limit for acquiring coordinates.
public let PLIST_LOCATION_COORDINATES_ACQUISITION_TIMEOUT = "coordinatesAcquisitionTimeout"
/// Whether events get a location.
public let PLIST_LOCATION_ENABLED = "enabled"

// MARK: LocalEventStore

/// The number of days for which sent and failed events are stored.
public let PLIST_LOCAL_STORE_EVENTS_EXPIRE_AFTER_DAYS = "expireLocalEventsAfterNumDays"

// MARK: Augmentation

/// The time limit of all plug-ins together, for each event.
public let PLIST_AUGMENTATION_SERVICE_TIMEOUT = "augmentationTimeout"
