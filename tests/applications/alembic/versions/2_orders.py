"""Orders, one for each user: in the migration ids are keys."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "2", "1"


def upgrade():
    orders = op.create_table(
        "orders",
        sa.Column("id", sa.BigInteger, sa.Identity(), primary_key=True),
        sa.Column("user_id", sa.BigInteger, sa.ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
        sa.Column("total", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("watchers", sa.ARRAY(sa.BigInteger), nullable=False, server_default=sa.text("'{}'::bigint[]")),
    )
    op.create_index("orders_of_user", "orders", ["user_id", "total"])
    users = op.get_bind().execute(sa.text("SELECT id FROM users")).scalars().all()
    if not all(type(user) is int for user in users):
        raise SystemExit(f"the migration sees no keys: {users}")
    op.bulk_insert(orders, [{"id": user + 7, "user_id": user, "watchers": [user]} for user in users])
