package dev.ligeiro.dispatcher.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.fixture.TransactionArbitraries;
import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.store.StoredValues;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.testing.settings.Settings;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.view.WebhookPayload;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.bson.BsonDocumentReader;
import org.bson.codecs.DecoderContext;

class PayloadStoreTest {

    private static final TransactionCodec CODEC = new TransactionCodec();
    private final WebhookPayload payload =
            Settings.defaults(ViewProperties.class).payload();

    @Provide
    Arbitrary<List<Transaction>> lives() {
        return TransactionArbitraries.lives();
    }

    /** Each event is read from Kafka when it happens; its payload is built again from the transaction as stored at the end. */
    @Property(tries = 300)
    void aPayloadBuiltAgainHasTheBytesOfTheFirst(@ForAll("lives") List<Transaction> life) {
        Transaction last = stored(life.get(life.size() - 1));
        for (Transaction then : life) {
            int sequence = then.history().sequence();
            TransactionEvent event = MessageJson.readEvent(MessageJson.write(TransactionEvent.of(then, sequence)));

            assertThat(payload.of(TransactionEvent.of(last, sequence))).isEqualTo(payload.of(event));
        }
    }

    private static Transaction stored(Transaction transaction) {
        return CODEC.decode(
                new BsonDocumentReader(StoredValues.document(CODEC, transaction)),
                DecoderContext.builder().build());
    }
}
