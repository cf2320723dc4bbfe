package dev.ligeiro.desk.console;

import static dev.ligeiro.desk.console.MerchantFrame.HOME;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.ligeiro.desk.console.Answers.Dispute;
import dev.ligeiro.desk.console.Answers.DisputeList;
import dev.ligeiro.merchant.Scope;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The payers' claims on payments, and one of them with the form of its defence. */
@Controller
@RequestMapping(HOME + "/disputes")
public class DisputePages {

    private static final List<String> FILTERS = List.of("status", "transaction_id");
    private static final List<String> PLACE = List.of("after");

    private final GatewayApi api;
    private final Clock clock;

    DisputePages(GatewayApi api, Clock clock) {
        this.api = api;
        this.clock = clock;
    }

    @GetMapping
    String list(@RequestParam Map<String, String> query, Model model) {
        Filters filters = Filters.of(query, FILTERS);
        Map<String, String> asked = Filters.of(query, PLACE).given();
        asked.putAll(filters.given());
        model.addAttribute("filters", filters);
        model.addAttribute("list", DisputeList.NONE);
        model.addAttribute("errors", Errors.of(() -> model.addAttribute("list", api.disputes(asked))));
        return "console/disputes";
    }

    /**
     * What a person writes to the bank.
     *
     * @param text in one line, because the API takes no line breaks
     * @param once makes a second click the same defence
     */
    public record DefenseForm(
            @NotBlank(message = "required") @Nullable String text, @JsonIgnore @Nullable String once) {

        public DefenseForm {
            text = text == null ? null : text.strip().replaceAll("\\R+", " ");
        }

        /** The form to send next: with another text it is another defence. */
        DefenseForm next() {
            return new DefenseForm(text, UUID.randomUUID().toString());
        }
    }

    @GetMapping("/{id}")
    String show(@PathVariable UUID id, @ModelAttribute("visitor") Visitor visitor, Model model) {
        return show(id, new DefenseForm(null, null), Errors.NONE, visitor, model);
    }

    private String show(UUID id, DefenseForm form, Errors errors, Visitor visitor, Model model) {
        Dispute dispute = api.dispute(id);
        model.addAttribute("dispute", dispute);
        model.addAttribute("form", form.next());
        model.addAttribute("errors", errors);
        model.addAttribute("mayDefend", visitor.may(Scope.TRANSACTIONS_WRITE) && dispute.isDefendable(clock.instant()));
        return "console/dispute";
    }

    @PostMapping("/{id}/defense")
    String defend(
            @PathVariable UUID id,
            @Valid DefenseForm form,
            BindingResult binding,
            @ModelAttribute("visitor") Visitor visitor,
            RedirectAttributes next,
            Model model) {
        String once = form.once() == null ? UUID.randomUUID().toString() : form.once();
        Errors errors = Errors.of(binding, () -> {
            boolean isQueued = api.defend(id, once, form).getStatusCode() == HttpStatus.ACCEPTED;
            next.addFlashAttribute(MerchantFrame.DONE, isQueued ? "queued" : "defense");
        });
        return errors.isEmpty() ? "redirect:" + HOME + "/disputes/" + id : show(id, form, errors, visitor, model);
    }
}
