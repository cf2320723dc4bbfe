package dev.ligeiro.gateway.operator.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditEntryTest {

    private static final UUID ID = new UUID(1, 2);

    @ParameterizedTest
    @CsvSource({
        "/admin/merchants/01a204f7-e7ae-7254-a48e-ff485df88da3,      01a204f7-e7ae-7254-a48e-ff485df88da3",
        "/admin/merchants/01a204f7-e7ae-7254-a48e-ff485df88da3/keys, 01a204f7-e7ae-7254-a48e-ff485df88da3",
        "/admin/merchants/------------------------------------,",
        "/admin/merchants/01a204f7e7ae7254a48eff485df88da3----,",
        "/admin/merchants,",
    })
    void itNamesTheMerchantOfThePath(String path, UUID merchant) {
        AuditEntry.Request request = new AuditEntry.Request("PATCH /admin/merchants/{id}", path, null, "r");

        assertThat(AuditEntry.begun(ID, Instant.EPOCH, new Operator("ana"), request)
                        .merchantId())
                .isEqualTo(merchant);
    }
}
