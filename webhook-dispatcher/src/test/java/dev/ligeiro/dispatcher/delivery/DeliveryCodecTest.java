package dev.ligeiro.dispatcher.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.dispatcher.Dispatches;
import java.util.UUID;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonDocumentWriter;
import org.bson.RawBsonDocument;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.junit.jupiter.api.Test;

class DeliveryCodecTest {

    private final DeliveryCodec codec = new DeliveryCodec();

    @Test
    void aScheduledDeliveryIsReadBack() {
        PendingDispatch pending = Dispatches.pending(2);
        Delivery delivery = Delivery.leased(pending, UUID.randomUUID(), Dispatches.AT.plusSeconds(60), Dispatches.AT);
        assertThat(codec.decode(
                        new BsonDocumentReader(encode(delivery)),
                        DecoderContext.builder().build()))
                .usingRecursiveComparison()
                .isEqualTo(delivery);
    }

    @Test
    void aDeliveredOneKeepsNeitherPayloadNorSchedule() {
        Delivery delivery = Delivery.attempted(
                Dispatches.completed(0, AttemptOutcome.DELIVERED), DeliveryState.DELIVERED, Dispatches.AT);
        BsonDocument document = encode(delivery);
        assertThat(document.keySet()).containsExactly("_id", "eventType", "eventAt", "createdAt", "status", "attempts");
        assertThat(RawBsonDocument.parse(document.toJson()).getByteBuffer().remaining())
                .isLessThan(280);
    }

    @Test
    void anAttemptIsPushedAsItIsInserted() {
        Attempt attempt = Dispatches.attempt(AttemptOutcome.REJECTED);
        BsonArray inserted = encode(Delivery.attempted(
                        Dispatches.completed(0, AttemptOutcome.REJECTED), DeliveryState.EXHAUSTED, Dispatches.AT))
                .getArray("attempts");
        assertThat(inserted).containsExactly(DeliveryCodec.document(attempt));
    }

    private BsonDocument encode(Delivery delivery) {
        BsonDocument document = new BsonDocument();
        codec.encode(
                new BsonDocumentWriter(document),
                delivery,
                EncoderContext.builder().build());
        return document;
    }
}
