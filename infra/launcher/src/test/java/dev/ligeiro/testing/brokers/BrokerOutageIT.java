package dev.ligeiro.testing.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class BrokerOutageIT {

    @Test
    void kafkaIsBackUnderItsAddressAfterAnOutage() throws Exception {
        String address = TestBrokers.kafkaBootstrapServers();
        TestBrokers.kafka().stop();
        TestBrokers.kafka().start();
        assertThat(TestBrokers.kafkaBootstrapServers()).isEqualTo(address);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
            assertThat(admin.describeCluster().nodes().get(20, TimeUnit.SECONDS))
                    .hasSize(1);
        }
    }

    @Test
    void mongodbIsBackUnderItsAddressAfterAnOutage() {
        try (MongoClient client = MongoClients.create(TestBrokers.mongodbUri("outage"))) {
            TestBrokers.mongodb().kill();
            TestBrokers.mongodb().start();
            assertThat(Mono.from(client.getDatabase("outage").runCommand(new Document("ping", 1)))
                            .block(Duration.ofSeconds(30)))
                    .containsKey("ok");
        }
    }
}
