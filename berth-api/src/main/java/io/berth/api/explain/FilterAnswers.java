package io.berth.api.explain;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/// What all filters say of a node. Thousands of nodes are judged alike and share one of these, so
/// that the refusals among the answers are looked for once.
final class FilterAnswers extends AbstractList<FilterAnswer> implements RandomAccess {
    private final List<FilterAnswer> answers;
    private final List<FilterAnswer> refusals;

    private FilterAnswers(List<FilterAnswer> answers) {
        this.answers = answers;
        this.refusals = answers.stream().filter(FilterAnswer::isRefusal).toList();
    }

    static FilterAnswers of(List<FilterAnswer> answers) {
        return answers instanceof FilterAnswers known
                ? known
                : new FilterAnswers(List.copyOf(answers));
    }

    List<FilterAnswer> refusals() {
        return refusals;
    }

    @Override
    public FilterAnswer get(int index) {
        return answers.get(index);
    }

    @Override
    public int size() {
        return answers.size();
    }
}
