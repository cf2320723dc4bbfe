package dev.ligeiro.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.Transactions;
import dev.ligeiro.webhook.Lane;
import dev.ligeiro.webhook.Lane.Health;
import dev.ligeiro.webhook.Lane.Lease;
import java.time.Instant;
import java.util.UUID;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonDocumentWriter;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.junit.jupiter.api.Test;

class LaneCodecTest {

    private static final UUID ENDPOINT = UUID.fromString("019cd000-0000-7abc-9def-0123456789ab");
    private static final Instant AT = Instant.parse("2026-03-10T14:30:20.456Z");

    private final LaneCodec codec = new LaneCodec();

    @Test
    void aLaneIsReadBack() {
        Lane lane = new Lane(
                ENDPOINT,
                Transactions.TENANT,
                AT,
                new Lease(UUID.randomUUID(), AT.plusSeconds(30)),
                new Health(12, 2, AT.plusSeconds(60), AT.minusSeconds(600)),
                AT.plusSeconds(90),
                7);
        assertThat(decode(encode(lane))).isEqualTo(lane);
    }

    @Test
    void aHealthyLaneWithoutALeaseIsSmall() {
        Lane lane = new Lane(ENDPOINT, Transactions.TENANT, AT, null, Health.GOOD, null, 1);
        assertThat(encode(lane).keySet()).containsExactly("_id", "tenant", "dueAt", "marks");
        assertThat(decode(encode(lane))).isEqualTo(lane);
    }

    private Lane decode(BsonDocument document) {
        return codec.decode(
                new BsonDocumentReader(document), DecoderContext.builder().build());
    }

    private BsonDocument encode(Lane lane) {
        BsonDocument document = new BsonDocument();
        codec.encode(
                new BsonDocumentWriter(document), lane, EncoderContext.builder().build());
        return document;
    }
}
