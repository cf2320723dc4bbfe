package dev.ligeiro.desk.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AuditLinkTest {

    private static final AuditEntry ENDED = new AuditEntry(
            UUID.fromString("0191a6f0-0000-7000-8000-000000000001"),
            Instant.ofEpochMilli(1_725_000_000_000L),
            "ana",
            "POST /admin/merchants",
            "/admin/merchants",
            "{\"name\":\"Café\"}",
            "/admin/merchants/0191a6f0-0000-7000-8000-000000000002",
            201,
            "ticket-1",
            UUID.fromString("0191a6f0-0000-7000-8000-000000000002"),
            null,
            null,
            null,
            null);

    /** The digests of an entry as the gateways have written them; {@code infra/admin audit verify} proves old and new entries alike. */
    @Test
    void theDigestsAreThoseOfAllVersions() {
        assertThat(AuditLink.digestOfBegun(ENDED))
                .isEqualTo("8d1c49da5bbbf3f7438433114a59225961047dccdf39ae9837ba05e1d0a5a00b");
        assertThat(AuditLink.digestOfEnded(ENDED.id(), ENDED.status(), ENDED.created(), ENDED.merchantId()))
                .isEqualTo("08540acbfab3ef0f0e8a994499e6f57ce54da0557762a157162a8fda3b84d0f8");
    }
}
