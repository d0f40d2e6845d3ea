package io.berth.kube.codec.kind;

import io.berth.api.label.LabelSelector;
import io.berth.api.model.PodDisruptionBudget;
import io.berth.kube.codec.wire.ObjectInput;
import io.berth.kube.codec.wire.Schema;
import io.berth.kube.codec.wire.Selectors;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/// Reads disruption budgets.
final class BudgetReader implements KindReader {
    static final Schema SCHEMA = Schemas.object(Schemas.SELECTING, Schemas.BUDGET_STATUS);

    private final Set<String> disrupted = new HashSet<>();
    private LabelSelector selector = LabelSelector.NOTHING;
    private int disruptionsAllowed;

    @Override
    public void clear() {
        disrupted.clear();
        selector = LabelSelector.NOTHING;
        disruptionsAllowed = 0;
    }

    @Override
    public void read(String field, ObjectInput in) throws IOException {
        switch (field) {
            case "spec" -> in.only("selector", () -> selector = Selectors.labelSelector(in));
            case "status" -> readStatus(in);
            default -> in.skip();
        }
    }

    private void readStatus(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return;
        }
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "disruptionsAllowed" -> disruptionsAllowed = in.integer();
                case "disruptedPods" -> readDisrupted(in);
                default -> in.skip();
            }
        }
    }

    private void readDisrupted(ObjectInput in) throws IOException {
        if (in.beginObject()) {
            for (String pod = in.nextField(); pod != null; pod = in.nextField()) {
                disrupted.add(pod);
                in.skip();
            }
        }
    }

    @Override
    public PodDisruptionBudget build(Metadata metadata) {
        return new PodDisruptionBudget(
                metadata.namespace, metadata.name, selector, disruptionsAllowed, disrupted);
    }
}
