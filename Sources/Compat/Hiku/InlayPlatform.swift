// An app written for the SDK of Hiku needs only one import.
@_exported import InlayPlatform
