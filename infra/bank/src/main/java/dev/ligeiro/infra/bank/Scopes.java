package dev.ligeiro.infra.bank;

import java.util.Set;

/** The OAuth2 scopes: BACEN's, then Efí's. */
final class Scopes {

    static final String COB_READ = "cob.read";
    static final String COB_WRITE = "cob.write";
    static final String PIX_READ = "pix.read";
    static final String PIX_WRITE = "pix.write";
    static final String WEBHOOK_READ = "webhook.read";
    static final String WEBHOOK_WRITE = "webhook.write";
    static final String LOCATION_READ = "payloadlocation.read";
    static final String LOCATION_WRITE = "payloadlocation.write";
    static final String SEND = "pix.send";
    static final String SEND_READ = "gn.pix.send.read";
    static final String BUCKET_READ = "gn.keys.bucket.read";

    static final Set<String> ALL = Set.of(
            COB_READ,
            COB_WRITE,
            PIX_READ,
            PIX_WRITE,
            WEBHOOK_READ,
            WEBHOOK_WRITE,
            LOCATION_READ,
            LOCATION_WRITE,
            SEND,
            SEND_READ,
            BUCKET_READ);

    private Scopes() {}
}
