/// VAST documents that were written by hand for tests. None is from an ad server.
enum VASTSamples {
    static let mediaFile =
        "<MediaFile type=\"video/mp4\" width=\"640\" height=\"360\" delivery=\"progressive\">https://cdn.test/a.mp4</MediaFile>"

    /// Returns an ad with one video; `more` is inserted in Linear, `head` before the creatives.
    static func ad(
        id: String = "a", sequence: Int? = nil, head: String = "", linear: String = "", more: String = "",
        media: String = mediaFile, duration: String = "<Duration>00:00:20</Duration>"
    ) -> String {
        """
        <Ad id="\(id)"\(sequence.map { " sequence=\"\($0)\"" } ?? "")><InLine>
          <AdSystem>Test</AdSystem><AdTitle>Title \(id)</AdTitle>
          <Error><![CDATA[https://e.test/\(id)?c=[ERRORCODE]]]></Error>
          <Impression id="i"><![CDATA[https://i.test/\(id)]]></Impression>
          \(head)
          <Creatives><Creative><Linear\(linear)>
            \(duration)<MediaFiles>\(media)</MediaFiles>\(more)
          </Linear></Creative></Creatives>
        </InLine></Ad>
        """
    }

    static func wrapper(
        to address: String, id: String = "w", attributes: String = "", head: String = "",
        creatives: String = ""
    ) -> String {
        """
        <Ad id="\(id)"><Wrapper\(attributes)>
          <AdSystem>Test</AdSystem><VASTAdTagURI><![CDATA[\(address)]]></VASTAdTagURI>
          <Error><![CDATA[https://e.test/\(id)?c=[ERRORCODE]]]></Error>
          <Impression><![CDATA[https://i.test/\(id)]]></Impression>
          \(head)<Creatives>\(creatives)</Creatives>
        </Wrapper></Ad>
        """
    }

    static func document(_ ads: String..., version: String = "4.2", head: String = "") -> String {
        "<VAST version=\"\(version)\">\(head)\(ads.joined())</VAST>"
    }

    /// A document with all elements of a version 4.2 ad, about 4 KB.
    static let full = """

          <?xml version="1.0" encoding="UTF-8"?>
        <VAST version="4.2" xmlns="http://www.iab.com/VAST">
          <Ad id="harbor-1" sequence="1" adType="video">
            <InLine>
              <AdSystem version="1.0">Quay</AdSystem>
              <AdTitle>Evening ferry</AdTitle>
              <AdServingId>s-1</AdServingId>
              <Advertiser>Harbor Lines</Advertiser>
              <Category authority="https://cat.test/list">IAB20-1</Category>
              <Error><![CDATA[https://e.test/x?c=[ERRORCODE]&t=[TIMESTAMP]]]></Error>
              <Impression id="one"><![CDATA[https://i.test/1?cb=[CACHEBUSTING]]]></Impression>
              <Impression id="two">https://i.test/2?a=1&b=2</Impression>
              <ViewableImpression id="v">
                <Viewable><![CDATA[https://v.test/yes]]></Viewable>
                <NotViewable><![CDATA[https://v.test/no]]></NotViewable>
                <ViewUndetermined><![CDATA[https://v.test/who]]></ViewUndetermined>
              </ViewableImpression>
              <Creatives>
                <Creative id="c1" sequence="1" adId="x">
                  <UniversalAdId idRegistry="reg.test">U-77</UniversalAdId>
                  <Linear skipoffset="00:00:05">
                    <TrackingEvents>
                      <Tracking event="start"><![CDATA[https://t.test/start]]></Tracking>
                      <Tracking event="firstQuartile"><![CDATA[https://t.test/q1]]></Tracking>
                      <Tracking event="midpoint"><![CDATA[https://t.test/q2]]></Tracking>
                      <Tracking event="thirdQuartile"><![CDATA[https://t.test/q3]]></Tracking>
                      <Tracking event="complete"><![CDATA[https://t.test/end]]></Tracking>
                      <Tracking event="progress" offset="00:00:07.500"><![CDATA[https://t.test/p1]]></Tracking>
                      <Tracking event="progress" offset="40%"><![CDATA[https://t.test/p2]]></Tracking>
                      <Tracking event="mute"><![CDATA[https://t.test/mute]]></Tracking>
                    </TrackingEvents>
                    <Icons>
                      <Icon program="AdChoices" width="20" height="20" xPosition="right" yPosition="top" offset="00:00:01" duration="00:00:10">
                        <StaticResource creativeType="image/png"><![CDATA[https://cdn.test/i.png]]></StaticResource>
                        <IconClicks>
                          <IconClickThrough>https://choices.test/</IconClickThrough>
                          <IconClickTracking>https://t.test/icon-click</IconClickTracking>
                        </IconClicks>
                        <IconViewTracking>https://t.test/icon-view</IconViewTracking>
                      </Icon>
                    </Icons>
                    <Duration>00:00:20.250</Duration>
                    <VideoClicks>
                      <ClickThrough id="blog"><![CDATA[https://harbor.test/ferry?from=ad]]></ClickThrough>
                      <ClickTracking id="k"><![CDATA[https://t.test/click]]></ClickTracking>
                      <CustomClick><![CDATA[https://t.test/custom]]></CustomClick>
                    </VideoClicks>
                    <MediaFiles>
                      <MediaFile id="m1" delivery="progressive" type="video/mp4" bitrate="2000" width="1280" height="720" codec="avc1">
                        <![CDATA[https://cdn.test/720.mp4]]>
                      </MediaFile>
                      <MediaFile delivery="streaming" type="application/x-mpegURL" minBitrate="300" maxBitrate="900" width="640" height="360">https://cdn.test/s.m3u8</MediaFile>
                    </MediaFiles>
                  </Linear>
                </Creative>
                <Creative id="c2">
                  <CompanionAds required="any">
                    <Companion id="b1" width="300" height="250" adSlotId="below" renderingMode="end-card">
                      <StaticResource creativeType="image/png">https://cdn.test/c.png</StaticResource>
                      <HTMLResource><![CDATA[<p>Ferry</p>]]></HTMLResource>
                      <IFrameResource>https://cdn.test/c.html</IFrameResource>
                      <AltText>The evening ferry</AltText>
                      <CompanionClickThrough>https://harbor.test/c</CompanionClickThrough>
                      <CompanionClickTracking>https://t.test/c-click</CompanionClickTracking>
                      <TrackingEvents><Tracking event="creativeView">https://t.test/c-view</Tracking></TrackingEvents>
                    </Companion>
                  </CompanionAds>
                </Creative>
              </Creatives>
            </InLine>
          </Ad>
        </VAST>
        """
}
