package dev.ligeiro.desk.console;

import static dev.ligeiro.desk.console.MerchantFrame.HOME;

import dev.ligeiro.desk.console.Answers.Transaction;
import dev.ligeiro.desk.console.Answers.TransactionList;
import dev.ligeiro.desk.page.Frame;
import dev.ligeiro.message.EventId;
import dev.ligeiro.pix.EndToEndId;
import dev.ligeiro.pix.TaxId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * One box for whatever a person has at hand: the id of a transaction, a refund or an event, an end-to-end id, a reference, a CPF or CNPJ, a
 * phone, an e-mail or a name. A single match is shown itself, several as a list.
 */
@Controller
class SearchBox {

    private static final String LIST = "redirect:" + HOME + "/transactions";
    private static final Pattern PHONE = Pattern.compile("\\+[0-9 ()-]{10,20}");

    private final GatewayApi api;

    SearchBox(GatewayApi api) {
        this.api = api;
    }

    /** Of a key only its beginning can be found. A whole one comes in the body, and goes nowhere. */
    @RequestMapping(
            path = HOME + "/search",
            method = {RequestMethod.GET, RequestMethod.POST})
    String search(@RequestParam(defaultValue = "") String q) {
        String text = q.strip();
        if (text.isEmpty()) {
            return LIST;
        }
        if (text.startsWith("sk_")) {
            return "redirect:" + HOME + "/access";
        }
        EventId event = parsed(text, EventId::parse);
        UUID id = event != null
                ? event.transactionId().value()
                : text.length() == 36 ? parsed(text, UUID::fromString) : null;
        if (id != null && ApiProblem.nullIf(Set.of(404), () -> api.transaction(id)) != null) {
            return LIST + "/" + id;
        }
        String searched = id == null ? text : id.toString();
        List<String> filters = id == null ? filters(text) : List.of("refund_id", "identifier");
        for (String filter : filters) {
            List<Transaction> found = found(filter, searched);
            if (!found.isEmpty()) {
                return found.size() == 1 ? LIST + "/" + found.get(0).id() : list(filter, searched);
            }
        }
        return list(filters.get(filters.size() - 1), searched);
    }

    /** Those of the list that may find the text, the first one first. */
    private static List<String> filters(String text) {
        if (parsed(text, EndToEndId::new) != null) {
            return List.of("e2e_id");
        }
        if (PHONE.matcher(text).matches()) {
            return List.of("phone");
        }
        if (text.indexOf('@') > 0) {
            return List.of("pix_key");
        }
        return text.indexOf(' ') > 0 || parsed(text, TaxId::parse) != null
                ? List.of("name_document")
                : List.of("reference", "name_document");
    }

    private static <T> @Nullable T parsed(String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException otherForm) {
            return null;
        }
    }

    /** Nothing if the text is none for the filter; the list says why. */
    private List<Transaction> found(String filter, String text) {
        TransactionList list = ApiProblem.nullIf(Set.of(422), () -> api.transactions(Map.of(filter, text)));
        return list == null ? List.of() : list.transactions();
    }

    private static String list(String filter, String text) {
        return LIST + "?" + filter + "=" + Frame.encoded(text);
    }
}
