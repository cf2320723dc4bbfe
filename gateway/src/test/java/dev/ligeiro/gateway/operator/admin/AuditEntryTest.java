package dev.ligeiro.gateway.operator.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditEntryTest {

    @ParameterizedTest
    @CsvSource({
        "/admin/merchants/01a204f7-e7ae-7254-a48e-ff485df88da3,      01a204f7-e7ae-7254-a48e-ff485df88da3",
        "/admin/merchants/01a204f7-e7ae-7254-a48e-ff485df88da3/keys, 01a204f7-e7ae-7254-a48e-ff485df88da3",
        "/admin/merchants/------------------------------------,",
        "/admin/merchants/01a204f7e7ae7254a48eff485df88da3----,",
        "/admin/merchants,",
    })
    void itNamesTheMerchantOfThePath(String path, UUID merchant) {
        assertThat(AuditEntry.merchantId(path)).isEqualTo(merchant);
    }
}
