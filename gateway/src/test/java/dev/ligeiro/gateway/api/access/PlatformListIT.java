package dev.ligeiro.gateway.api.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.RunningGateway;
import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestMerchant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedGateway.class)
class PlatformListIT {

    private final RunningGateway gateway;

    PlatformListIT(RunningGateway gateway) {
        this.gateway = gateway;
    }

    @Test
    void aKeySeesThePlatformsOfItsMode() {
        TestMerchant merchant = gateway.newMerchant();
        String second = merchant.newPlatform();
        TestMerchant live = merchant.live();

        assertThat(ids(merchant)).containsExactly(merchant.platform(), second);
        assertThat(ids(live)).containsExactly(live.platform());
        gateway.api().get("/api/v1/platforms").expect(401);
        merchant.api().get("/api/v1/platforms?after=1").expect(422);
    }

    private static List<String> ids(TestMerchant merchant) {
        return merchant.api()
                .get("/api/v1/platforms")
                .expect(200)
                .json()
                .path("platforms")
                .valueStream()
                .map(platform -> platform.path("id").stringValue())
                .toList();
    }
}
