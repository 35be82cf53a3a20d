// These are EngageSDK's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The name of the link parameter that names a campaign, unless the settings give another.
public let CURRENT_CAMPAIGN_PARAM_NAME = "CurrentCampaign"
/// The name of the link parameter that says when a campaign ends, in Unix seconds (GMT).
public let CAMPAIGN_EXTERNAL_EXPIRATION_DATETIME_PARAM = "CampaignEndTimeStamp"

// MARK: General

/// The contact list of requests that name none.
public let PLIST_GENERAL_DATABASE_LIST_ID = "databaseListId"
/// So many waiting events are sent without being asked.
public let PLIST_GENERAL_UBF_EVENT_CACHE_SIZE = "ubfEventCacheSize"
/// The life of a campaign that says nothing of it.
public let PLIST_GENERAL_DEFAULT_CURRENT_CAMPAIGN_EXPIRATION = "defaultCurrentCampaignExpiration"

// MARK: ParamFieldNames

/// The parameter with a campaign's life.
public let PLIST_PARAM_CAMPAIGN_VALID_FOR = "ParamCampaignValidFor"
/// The parameter with a campaign's end.
public let PLIST_PARAM_CAMPAIGN_EXPIRES_AT = "ParamCampaignExpiresAt"
/// The parameter with a campaign's name.
public let PLIST_PARAM_CURRENT_CAMPAIGN = "ParamCurrentCampaign"
/// The parameter with a notification's call to action.
public let PLIST_PARAM_CALL_TO_ACTION = "ParamCallToAction"

// MARK: Session

/// A session ends when the app was left for this long.
public let PLIST_SESSION_LIFECYCLE_EXPIRATION = "sessionLifecycleExpiration"

// MARK: Networking

/// Tries after the first before an event is given up.
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
/// The attribute with the campaign before.
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

/// The date format of the last known place.
public let PLIST_LOCATION_LAST_KNOWN_LOCATION_TIME_FORMAT = "lastKnownLocationDateFormat"
/// The column of the last known place's time.
public let PLIST_LOCATION_LAST_KNOWN_LOCATION_TIME = "lastKnownLocationTimestampColumn"
/// The column of the last known place.
public let PLIST_LOCATION_LAST_KNOWN_LOCATION = "lastKnownLocationColumn"
/// Metres from the last reported place to one that is reported.
public let PLIST_LOCATION_LOCATION_DISTANCE_FILTER = "locationDistanceFilter"
/// The wanted accuracy.
public let PLIST_LOCATION_LOCATION_PRECISION_LEVEL = "locationPrecisionLevel"
/// The life of a fix.
public let PLIST_LOCATION_LOCATION_CACHE_LIFESPAN = "locationCacheLifespan"
/// The time for an address.
public let PLIST_LOCATION_COORDINATES_PLACEMARK_TIMEOUT = "coordinatesPlacemarkTimeout"
/// The time for coordinates.
public let PLIST_LOCATION_COORDINATES_ACQUISITION_TIMEOUT = "coordinatesAcquisitionTimeout"
/// Whether events get a place at all.
public let PLIST_LOCATION_ENABLED = "enabled"

// MARK: LocalEventStore

/// Days that posted and failed events are kept.
public let PLIST_LOCAL_STORE_EVENTS_EXPIRE_AFTER_DAYS = "expireLocalEventsAfterNumDays"

// MARK: Augmentation

/// The time for all plug-ins together, per event.
public let PLIST_AUGMENTATION_SERVICE_TIMEOUT = "augmentationTimeout"
