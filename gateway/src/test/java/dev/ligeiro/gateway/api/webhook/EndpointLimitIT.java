package dev.ligeiro.gateway.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.gateway.fixture.SharedGateway;
import dev.ligeiro.gateway.fixture.TestEndpoint;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.infra.client.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A merchant has at most 20 endpoints in each mode. */
@ExtendWith(SharedGateway.class)
class EndpointLimitIT {

    private final TestMerchant merchant;

    EndpointLimitIT(TestMerchant merchant) {
        this.merchant = merchant;
    }

    @Test
    void aDeletedEndpointMakesRoomForAnother() {
        for (int i = 0; i < 19; i++) {
            TestEndpoint.of(merchant);
        }
        TestEndpoint last = TestEndpoint.of(merchant);

        register(21).join().expectProblem(409, "too_many_endpoints");
        assertThat(count()).isEqualTo(20);

        merchant.api().delete(last.path()).expect(204);
        register(22).join().expect(201);
    }

    @Test
    void atMostTwentyOfManyRegistrationsAtOnceAreStored() {
        Semaphore open = new Semaphore(200);
        List<CompletableFuture<Answer>> registrations = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            open.acquireUninterruptibly();
            registrations.add(register(i).whenComplete((answer, failure) -> open.release()));
        }

        long created = registrations.stream()
                .map(CompletableFuture::join)
                .filter(answer -> answer.status() == 201)
                .count();

        assertThat(created).isEqualTo(20);
        assertThat(count()).isEqualTo(20);
        assertThat(registrations)
                .allSatisfy(each -> assertThat(each.join().status()).isIn(201, 409, 429, 503));
    }

    private CompletableFuture<Answer> register(int number) {
        return merchant.api().postAsync(TestEndpoint.ALL, "{\"url\":\"https://example.com/" + number + "\"}");
    }

    private int count() {
        return merchant.api()
                .get(TestEndpoint.ALL)
                .expect(200)
                .json()
                .path("webhooks")
                .size();
    }
}
