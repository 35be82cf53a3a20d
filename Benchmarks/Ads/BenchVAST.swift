import Foundation

/// A VAST document of 3 KB as ad servers send it, with one video in three files, nine trackers and an icon.
enum BenchVAST {
    static let document = Data(text.utf8)

    private static let text = """
        <?xml version="1.0" encoding="UTF-8"?>
        <VAST version="4.2" xmlns="http://www.iab.com/VAST">
          <Ad id="7301-44" adType="video">
            <InLine>
              <AdSystem version="2.1">Quay ads</AdSystem>
              <AdTitle>Evening ferry to the islands</AdTitle>
              <AdServingId>a532d16d-4d7f-4440-bd29-2ec0e693fc80</AdServingId>
              <Advertiser>Harbor Lines</Advertiser>
              <Error><![CDATA[https://track.quay.test/error?id=7301&c=[ERRORCODE]]]></Error>
              <Impression id="main"><![CDATA[https://track.quay.test/imp?id=7301&cb=[CACHEBUSTING]]]></Impression>
              <Impression id="second"><![CDATA[https://count.partner.test/i/7301]]></Impression>
              <Creatives>
                <Creative id="5480" sequence="1" adId="2447226">
                  <UniversalAdId idRegistry="ad-id.test">8465</UniversalAdId>
                  <Linear skipoffset="00:00:05">
                    <TrackingEvents>
                      <Tracking event="start"><![CDATA[https://track.quay.test/e/start?id=7301]]></Tracking>
                      <Tracking event="firstQuartile"><![CDATA[https://track.quay.test/e/q1?id=7301]]></Tracking>
                      <Tracking event="midpoint"><![CDATA[https://track.quay.test/e/q2?id=7301]]></Tracking>
                      <Tracking event="thirdQuartile"><![CDATA[https://track.quay.test/e/q3?id=7301]]></Tracking>
                      <Tracking event="complete"><![CDATA[https://track.quay.test/e/end?id=7301]]></Tracking>
                      <Tracking event="progress" offset="00:00:10"><![CDATA[https://track.quay.test/e/p10]]></Tracking>
                      <Tracking event="mute"><![CDATA[https://track.quay.test/e/mute?id=7301]]></Tracking>
                      <Tracking event="pause"><![CDATA[https://track.quay.test/e/pause?id=7301]]></Tracking>
                      <Tracking event="skip"><![CDATA[https://track.quay.test/e/skip?id=7301]]></Tracking>
                    </TrackingEvents>
                    <Icons>
                      <Icon program="AdChoices" width="20" height="20" xPosition="right" yPosition="top">
                        <StaticResource creativeType="image/png"><![CDATA[https://cdn.quay.test/i.png]]></StaticResource>
                      </Icon>
                    </Icons>
                    <Duration>00:00:30</Duration>
                    <VideoClicks>
                      <ClickThrough id="land"><![CDATA[https://harbor.test/ferry?from=ad]]></ClickThrough>
                    </VideoClicks>
                    <MediaFiles>
                      <MediaFile id="1" delivery="progressive" type="video/mp4" bitrate="2000" width="1280" height="720"><![CDATA[https://cdn.quay.test/720.mp4]]></MediaFile>
                      <MediaFile id="2" delivery="progressive" type="video/mp4" bitrate="1000" width="854" height="480"><![CDATA[https://cdn.quay.test/480.mp4]]></MediaFile>
                      <MediaFile id="3" delivery="progressive" type="video/webm" bitrate="700" width="640" height="360"><![CDATA[https://cdn.quay.test/360.webm]]></MediaFile>
                    </MediaFiles>
                  </Linear>
                </Creative>
              </Creatives>
            </InLine>
          </Ad>
        </VAST>
        """
}
